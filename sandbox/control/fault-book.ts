import type { Fault, RequestFacts } from './fault';
import type { FaultKind, FaultStage } from './fault-kinds';
import { FAULT_KINDS } from './fault-kinds';
import { parseFault } from './fault-parse';

/** Kinds that name a place would otherwise be spent on a request where they mean nothing. */
const appliesTo: Partial<Record<FaultKind, (r: RequestFacts) => boolean>> = {
  gone: (r) => r.method === 'GET' && r.path.startsWith('/responses/'),
  too_old: (r) => r.method === 'GET' && r.stream,
  model_gone: (r) => r.create,
  refuse_tools: (r) => r.create && r.hasTools,
};

const stageApplies: Record<FaultStage, (r: RequestFacts) => boolean> = {
  reply: () => true,
  stream: (r) => r.stream,
  run: (r) => r.create,
};

function matches(fault: Fault, r: RequestFacts): boolean {
  const m = fault.match;
  return (
    stageApplies[FAULT_KINDS[fault.kind].stage](r) &&
    (appliesTo[fault.kind]?.(r) ?? true) &&
    (!fault.after_create || r.create) &&
    (m.method === undefined || m.method.toUpperCase() === r.method) &&
    (m.path === undefined || r.path.includes(m.path)) &&
    (m.model === undefined || m.model === r.model) &&
    (m.stream === undefined || m.stream === r.stream) &&
    (m.background === undefined || m.background === r.background) &&
    (m.invocation_id === undefined || m.invocation_id === r.invocationId) &&
    (m.body === undefined || r.raw.includes(m.body))
  );
}

/** The faults that are armed, and the requests that hang on one of them. */
export class FaultBook {
  private faults: Fault[] = [];
  private readonly held = new Set<() => void>();
  private made = 0;

  add(spec: unknown): Fault {
    const fault = parseFault(spec, `fault_${++this.made}`);
    this.faults.push(fault);
    return fault;
  }

  list(): Fault[] {
    return this.faults;
  }

  /** Spends one count of every fault of `stage` that fits; of `reply` faults only the oldest, as one request has one reply. */
  take(stage: FaultStage, request: RequestFacts): Fault[] {
    const fitting = this.faults.filter(
      (f) =>
        FAULT_KINDS[f.kind].stage === stage &&
        f.remaining !== 0 &&
        matches(f, request),
    );
    const taken = stage === 'reply' ? fitting.slice(0, 1) : fitting;
    for (const fault of taken) {
      fault.hits++;
      if (fault.remaining !== null) fault.remaining--;
    }
    return taken;
  }

  clear(): void {
    this.faults = [];
    this.held.forEach((release) => release());
  }

  /** Resolves after `ms`, or when the faults are cleared, or when `signal` aborts: whichever is first. */
  hold(ms: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const release = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', release);
        this.held.delete(release);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(release, ms);
      signal.addEventListener('abort', release);
      this.held.add(release);
    });
  }
}
