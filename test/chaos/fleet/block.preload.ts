/** Loaded into a worker before anything else: blocks its event loop for a while when it is told to. */
process.on('SIGUSR2', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(cell, 0, 0, Number(process.env.CHAOS_BLOCK_MS));
});
