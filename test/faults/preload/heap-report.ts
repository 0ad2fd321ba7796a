import { report } from './report';

/** On SIGUSR2, logs `heap: N` on stderr: the bytes in use after a full collection. Needs `--expose-gc`. */
let reports = 0;

process.on('SIGUSR2', () => {
  // The second collection frees what finalizers of the first one released.
  globalThis.gc!();
  setImmediate(() => {
    globalThis.gc!();
    reports += 1;
    report(`heap ${reports}: ${process.memoryUsage().heapUsed}`);
  });
});
