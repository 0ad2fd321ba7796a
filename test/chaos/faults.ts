import type { Random } from './random';

export const APIS = 2;
export const WORKERS = 3;

/** The two ends of a link. The first is a process, `slot` says which. */
export interface LinkPlan {
  of: 'api' | 'worker';
  to: 'redis' | 'upstream';
  slot: number;
}

/** A fault of a process, a link, Redis or the whole upstream. `slot`: which process of its kind. */
export type FaultPlan = { atMs: number } & (
  | { kind: 'kill_worker' | 'kill_api'; slot: number; downMs: number }
  | KillInStep
  | { kind: 'pause_worker'; slot: number; forMs: number }
  | { kind: 'block_worker'; slot: number }
  | { kind: 'rolling_restart' }
  | { kind: 'kill_redis' | 'restart_redis'; downMs: number }
  | { kind: 'fill_redis' | 'stall_redis'; forMs: number }
  | { kind: 'cut_redis' }
  | { kind: 'reset_link'; link: LinkPlan }
  | { kind: 'refuse_link' | 'drip_link'; link: LinkPlan; forMs: number }
  | { kind: 'stall_link'; link: LinkPlan; forMs: number; breaks: boolean }
  | { kind: 'redeliver'; share: number }
  /** Not planned, but observed: the machine was too busy for this process, so perhaps for a lease as well. */
  | { kind: 'starvation' }
  | UpstreamFaultPlan
);

/** The worker dies at its `step`th request from then on, which still arrives or does not. */
interface KillInStep {
  kind: 'kill_worker_in_step';
  link: LinkPlan;
  step: number;
  arrives: boolean;
  downMs: number;
}

interface UpstreamFaultPlan {
  kind: 'upstream';
  status: number;
  method: string;
  count: number;
  retryAfterMs: number;
}

/** Repeated entries are drawn more often. */
const KINDS: FaultPlan['kind'][] = [
  'kill_worker',
  'kill_worker',
  'kill_worker_in_step',
  'kill_worker_in_step',
  'pause_worker',
  'pause_worker',
  'pause_worker',
  'block_worker',
  'kill_api',
  'rolling_restart',
  'kill_redis',
  'restart_redis',
  'fill_redis',
  'stall_redis',
  'cut_redis',
  'reset_link',
  'refuse_link',
  'stall_link',
  'stall_link',
  'drip_link',
  'redeliver',
  'upstream',
];

/** Workers that are silent past their lease, and resume while others follow their runs. */
export const SILENCES: FaultPlan['kind'][] = [
  'pause_worker',
  'pause_worker',
  'block_worker',
  'drip_link',
];

export function makeFault(
  random: Random,
  atMs: number,
  leaseSeconds: number,
  kinds = KINDS,
): FaultPlan {
  const kind = random.pick(kinds);
  const downMs = random.between(0, 1_500);
  const worker = random.between(0, WORKERS - 1);
  switch (kind) {
    case 'kill_worker':
      return { atMs, kind, slot: worker, downMs };
    case 'kill_api':
      return { atMs, kind, slot: random.between(0, APIS - 1), downMs };
    case 'kill_worker_in_step':
      return {
        atMs,
        kind,
        downMs,
        link: {
          of: 'worker',
          to: random.pick(['redis', 'upstream']),
          slot: worker,
        },
        step: random.between(1, 40),
        arrives: random.chance(0.5),
      };
    case 'pause_worker': {
      // Just past the lease its runs are being followed by others when it resumes, much later most have ended.
      const overMs = random.between(100, random.pick([600, 2_500]));
      return { atMs, kind, slot: worker, forMs: leaseSeconds * 1_000 + overMs };
    }
    case 'block_worker':
      return { atMs, kind, slot: worker };
    case 'kill_redis':
    case 'restart_redis':
      return { atMs, kind, downMs: random.between(0, 2_500) };
    case 'fill_redis':
    case 'stall_redis':
      return { atMs, kind, forMs: random.between(300, 3_000) };
    case 'reset_link':
      return { atMs, kind, link: anyLink(random) };
    case 'refuse_link':
      return {
        atMs,
        kind,
        link: anyLink(random),
        forMs: random.between(300, 3_000),
      };
    case 'drip_link':
      return {
        atMs,
        kind,
        forMs: random.between(300, 3_000),
        link: { of: 'worker', to: 'upstream', slot: worker },
      };
    case 'stall_link':
      return {
        atMs,
        kind,
        link: anyLink(random),
        forMs: random.between(300, leaseSeconds * 1_000 + 2_000),
        breaks: random.chance(0.5),
      };
    case 'redeliver':
      return { atMs, kind, share: random.fraction() };
    case 'upstream': {
      const method = random.pick(['GET', 'POST']);
      return {
        atMs,
        kind,
        // After a 500 it is unknown whether a run was purchased; the scenarios cover that.
        status: random.pick(method === 'GET' ? [429, 500, 503] : [429, 503]),
        method,
        count: random.between(1, 6),
        retryAfterMs: random.between(0, 1_200),
      };
    }
    default:
      return { atMs, kind };
  }
}

function anyLink(random: Random): LinkPlan {
  const link = random.pick([
    { of: 'api', to: 'redis' },
    { of: 'worker', to: 'redis' },
    { of: 'worker', to: 'upstream' },
  ] as const);
  const last = link.of === 'api' ? APIS - 1 : WORKERS - 1;
  return { ...link, slot: random.between(0, last) };
}

/** The links that the faults affect. */
export function linksOf(faults: FaultPlan[]): LinkPlan[] {
  return faults.flatMap((fault) => ('link' in fault ? [fault.link] : []));
}

/** Faults that do not affect a worker's knowledge of its purchases. */
const HARMLESS: FaultPlan['kind'][] = [
  'kill_api',
  'redeliver',
  'upstream',
  'drip_link',
];

/** Whether it can leave the outcome of a purchase unknown. */
export function interrupts(fault: FaultPlan): boolean {
  if ('link' in fault && fault.link.of === 'api') return false;
  return !HARMLESS.includes(fault.kind);
}

/** Whether a process that shuts down meanwhile may find Redis unavailable. */
export function concernsRedis(fault: FaultPlan): boolean {
  if ('link' in fault) return fault.link.to === 'redis';
  return fault.kind.endsWith('_redis');
}
