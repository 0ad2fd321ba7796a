/** On SIGUSR2, blocks the event loop for `BLOCK_MS`: nothing is sent, read or renewed meanwhile. */
process.on('SIGUSR2', () => {
  const never = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(never, 0, 0, Number(process.env.BLOCK_MS));
});
