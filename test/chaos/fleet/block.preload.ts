/** Loaded into a worker first: blocks its event loop for `CHAOS_BLOCK_MS` on SIGUSR2. */
process.on('SIGUSR2', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(cell, 0, 0, Number(process.env.CHAOS_BLOCK_MS));
});
