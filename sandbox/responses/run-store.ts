import type { Run } from './run';

const FINISHED_KEPT = 20_000;
const TEXT_KEPT_CHARS = 400_000_000;

/** Runs by id. The oldest finished ones are dropped above a number of runs or bytes of text. */
export class RunStore {
  inFlight = 0;
  private readonly runs = new Map<string, Run>();
  private readonly finished = new Map<string, number>();
  private readonly unstored = new Set<Run>();
  private chars = 0;

  add(run: Run): void {
    const stored = run.params.store !== false;
    if (stored) this.runs.set(run.id, run);
    else this.unstored.add(run);
    this.inFlight++;
    void run.finished.then(() => {
      this.unstored.delete(run);
      this.inFlight--;
      if (this.runs.get(run.id) === run) this.keepFinished(run);
    });
  }

  get(id: string): Run | undefined {
    return this.runs.get(id);
  }

  delete(id: string): boolean {
    this.forget(id);
    return this.runs.delete(id);
  }

  clear(): void {
    const open = [...this.runs.values(), ...this.unstored];
    this.runs.clear();
    this.finished.clear();
    this.chars = 0;
    for (const run of open) run.cancel();
  }

  private keepFinished(run: Run): void {
    const size = sizeOf(run);
    this.finished.set(run.id, size);
    this.chars += size;
    for (const id of this.finished.keys()) {
      if (this.finished.size <= FINISHED_KEPT && this.chars <= TEXT_KEPT_CHARS)
        return;
      this.delete(id);
    }
  }

  private forget(id: string): void {
    this.chars -= this.finished.get(id) ?? 0;
    this.finished.delete(id);
  }
}

/** A streamed run also stores its log: about the same size again, and a little per event. */
function sizeOf(run: Run): number {
  const text = JSON.stringify(run.response.output).length;
  const input = JSON.stringify(run.ownItems).length;
  return text * (run.log.length > 0 ? 3 : 1) + input + run.log.length * 200;
}
