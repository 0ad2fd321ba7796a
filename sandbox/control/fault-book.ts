import type { Fault, RequestFacts } from './fault';
import type { FaultKind, FaultStage } from './fault-kinds';
import { FAULT_KINDS } from './fault-kinds';
import { parseFault } from './fault-parse';

/** Kinds that apply to one endpoint only; elsewhere they would be used up without effect. */
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
  search: (r) => r.method === 'GET' && r.path === '/search',
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

/** The armed faults, and the requests that one of them delays. */
export class FaultBook {
  private faults: Fault[] = [];
  private readonly delayed = new Set<() => void>();
  private made = 0;

  add(spec: unknown): Fault {
    const fault = parseFault(spec, `fault_${++this.made}`);
    this.faults.push(fault);
    return fault;
  }

  list(): Fault[] {
    return this.faults;
  }

  /**
   * Uses one count of every matching fault of `stage`; of `reply` and `search` faults only the oldest, as one request
   * has one response.
   */
  take(stage: FaultStage, request: RequestFacts): Fault[] {
    const fitting = this.faults.filter(
      (f) =>
        FAULT_KINDS[f.kind].stage === stage &&
        f.remaining !== 0 &&
        matches(f, request),
    );
    const single = stage === 'reply' || stage === 'search';
    const taken = single ? fitting.slice(0, 1) : fitting;
    for (const fault of taken) {
      fault.hits++;
      if (fault.remaining !== null) fault.remaining--;
    }
    return taken;
  }

  clear(): void {
    this.faults = [];
    this.delayed.forEach((release) => release());
  }

  /** Resolves after `ms`, when the faults are cleared, or when `signal` aborts. */
  hold(ms: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const release = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', release);
        this.delayed.delete(release);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(release, ms);
      signal.addEventListener('abort', release);
      this.delayed.add(release);
    });
  }
}
