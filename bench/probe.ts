/**
 * Preloaded into every process that is measured: answers the bench over IPC what the process has used so far, and ends
 * it when the bench is gone, however that ended. Reads nothing of the machine, so that it works wherever Node does.
 */
export interface Usage {
  cpuSeconds: number;
  heapBytes: number;
  rssBytes: number;
}

interface Question {
  id: number;
  question: string;
  input: unknown;
}

const answers = new Map<string, (input: unknown) => unknown>();

/** What else the bench may ask of this process. */
export function answer<T>(question: string, give: (input: T) => unknown): void {
  answers.set(question, give as (input: unknown) => unknown);
}

/** Tells the bench that something has happened. */
export function tell(news: string, value: unknown): void {
  process.send?.({ news, value });
}

answer('usage', usage);
answer('settled usage', () => {
  // Twice: what the first round sets free is finalised by the second.
  globalThis.gc?.();
  globalThis.gc?.();
  return usage();
});
process.on('message', ({ id, question, input }: Question) => {
  void Promise.resolve(answers.get(question)!(input)).then((value) =>
    process.send?.({ id, value }),
  );
});
process.on('disconnect', () => process.exit());
// A process that has nothing else left to do may end.
process.channel?.unref();

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    heapBytes: heapUsed,
    rssBytes: rss,
  };
}
