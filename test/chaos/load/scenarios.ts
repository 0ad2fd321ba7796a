import type { Random } from '../random';

/** A fault of the sandbox; see its README. */
export interface UpstreamFault {
  kind: string;
  match?: Record<string, unknown>;
  [field: string]: unknown;
}

/** The upstream's faults in one run, and its allowed ends. The stream of a short run has about forty events. */
export interface Scenario {
  name: string;
  faults: UpstreamFault[];
  /** `status`, or `status/code`. */
  ends: string[];
}

const CREATE = { method: 'POST' };
const POLL = { method: 'GET' };
const AMBIGUOUS = 'failed/ambiguous_submit';
const COMPLETED = ['completed'];

const cut = (random: Random): UpstreamFault => ({
  kind: 'cut',
  after_events: random.between(1, 20),
});

type ScenarioFactory = (random: Random) => Omit<Scenario, 'name'>;

const SCENARIOS: Record<string, ScenarioFactory> = {
  rate_limited: (random) => ({
    faults: [
      {
        ...random.pick([
          { retry_after: 1 },
          { retry_after_ms: random.between(0, 900) },
        ]),
        kind: 'status',
        status: 429,
        match: CREATE,
        count: random.between(1, 2),
      },
    ],
    ends: COMPLETED,
  }),
  create_refused: (random) => ({
    faults: [
      {
        kind: 'status',
        status: 503,
        code: random.pick(['slow_down', 'server_is_overloaded']),
        // A proxy forwards one of the two.
        retry_after_ms: random.between(0, 600),
        match: CREATE,
      },
    ],
    ends: COMPLETED,
  }),
  create_failed: (random) => ({
    faults: [
      {
        kind: 'status',
        status: random.pick([500, 503]),
        after_create: random.chance(0.5),
        match: CREATE,
      },
    ],
    ends: [AMBIGUOUS],
  }),
  create_lost_behind_a_proxy: () => ({
    faults: [{ kind: 'status', status: 503, body: 'html', match: CREATE }],
    ends: [AMBIGUOUS],
  }),
  create_reset: () => ({
    faults: [{ kind: 'reset', match: CREATE }],
    ends: [AMBIGUOUS],
  }),
  reset_after_create: () => ({
    faults: [{ kind: 'reset', after_create: true }],
    ends: [AMBIGUOUS],
  }),
  hang_after_create: (random) => ({
    faults: [
      { kind: 'hang', after_create: true, ms: random.between(300, 3_000) },
    ],
    ends: COMPLETED,
  }),
  hang_before_create: (random) => ({
    faults: [{ kind: 'hang', match: CREATE, ms: random.between(300, 3_000) }],
    ends: COMPLETED,
  }),
  asking_fails: (random) => ({
    faults: [
      cut(random),
      {
        kind: 'status',
        status: random.pick([500, 503]),
        match: POLL,
        count: random.between(1, 3),
      },
    ],
    ends: COMPLETED,
  }),
  asking_rate_limited: (random) => ({
    faults: [
      cut(random),
      { kind: 'status', status: 429, retry_after: 1, match: POLL },
    ],
    ends: COMPLETED,
  }),
  asking_resets: (random) => ({
    faults: [cut(random), { kind: 'reset', match: POLL, count: 2 }],
    ends: COMPLETED,
  }),
  asking_hangs: (random) => ({
    faults: [
      cut(random),
      { kind: 'hang', match: POLL, ms: random.between(300, 2_000) },
    ],
    ends: COMPLETED,
  }),
  cut: (random) => ({
    faults: [{ ...cut(random), count: random.between(1, 4) }],
    ends: COMPLETED,
  }),
  // Before the run has reported its id, its outcome is unknown.
  cut_at_once: () => ({
    faults: [{ kind: 'cut', after_events: 0 }],
    ends: [AMBIGUOUS],
  }),
  ends_early: (random) => ({
    faults: [{ kind: 'end', after_events: random.between(1, 30) }],
    ends: COMPLETED,
  }),
  silence: (random) => ({
    faults: [
      {
        kind: 'silence',
        after_events: random.between(1, 30),
        ms: random.between(500, 3_000),
      },
    ],
    ends: COMPLETED,
  }),
  garbage: (random) => ({
    faults: [
      {
        kind: 'garbage',
        after_events: random.between(1, 30),
        cut: random.chance(0.5),
      },
    ],
    ends: COMPLETED,
  }),
  duplicate_events: () => ({
    faults: [{ kind: 'duplicate_events', count: 0 }],
    ends: COMPLETED,
  }),
  unknown_events: () => ({
    faults: [{ kind: 'unknown_events', count: 0 }],
    ends: COMPLETED,
  }),
  gap: (random) => ({
    faults: [{ kind: 'gap', after_events: random.between(0, 30) }],
    ends: COMPLETED,
  }),
  everything_odd_about_the_stream: (random) => ({
    faults: [
      { kind: 'unknown_events', count: 0 },
      { kind: 'duplicate_events', count: 0 },
      { kind: 'gap', after_events: random.between(0, 30) },
      cut(random),
    ],
    ends: COMPLETED,
  }),
  too_old: (random) => ({
    faults: [cut(random), { kind: 'too_old', count: 0 }],
    ends: COMPLETED,
  }),
  gone: (random) => ({
    faults: [cut(random), { kind: 'gone', count: 0 }],
    // It may end before it is polled; text that was streamed is retained.
    ends: [
      'completed',
      'failed/upstream_response_gone',
      'incomplete/upstream_response_gone',
    ],
  }),
  incomplete: (random) => {
    const reason = random.pick(['max_output_tokens', 'content_filter']);
    return {
      faults: [{ kind: 'incomplete', reason, fraction: 0.5 }],
      ends: [`incomplete/${reason}`],
    };
  },
  failed: () => ({
    faults: [{ kind: 'failed' }],
    ends: ['failed/upstream_failed'],
  }),
  error_event: (random) => ({
    faults: [{ kind: 'error_event', nested: random.chance(0.5) }],
    ends: ['failed/upstream_failed'],
  }),
  cancelled_by_upstream: () => ({
    faults: [{ kind: 'cancelled_by_upstream' }],
    ends: ['failed/upstream_cancelled', 'incomplete/upstream_cancelled'],
  }),
  empty: () => ({
    faults: [{ kind: 'empty' }],
    ends: ['failed/empty_output'],
  }),
  long: (random) => ({
    faults: [{ kind: 'text_bytes', bytes: random.between(20_000, 200_000) }],
    ends: COMPLETED,
  }),
  too_long: () => ({
    faults: [{ kind: 'text_bytes', bytes: 400_000 }],
    ends: ['failed/output_too_large'],
  }),
  slow: (random) => ({
    faults: [{ kind: 'slow', ms: random.between(2_000, 5_000) }],
    ends: COMPLETED,
  }),
  // So long that a worker can lose it before it receives the outcome of the purchase.
  slow_purchase: (random) => ({
    faults: [
      { kind: 'hang', after_create: true, ms: random.between(3_000, 8_000) },
    ],
    ends: COMPLETED,
  }),
  // Its text streams for so long that a worker can lose it and resume in the middle of it.
  slow_and_long: (random) => ({
    faults: [
      { kind: 'slow', ms: random.between(4_000, 8_000) },
      { kind: 'text_bytes', bytes: random.between(5_000, 50_000) },
    ],
    ends: COMPLETED,
  }),
};

const NAMES = Object.keys(SCENARIOS);

/** Any scenario; its faults affect only requests that contain `marker`. */
export function anyScenario(random: Random, marker: string): Scenario {
  return makeScenario(random.pick(NAMES), random, marker);
}

/** A scenario during which a worker can lose the run and resume. */
export function slow(random: Random, marker: string): Scenario {
  const name = random.pick(['slow_and_long', 'slow_and_long', 'slow_purchase']);
  return makeScenario(name, random, marker);
}

function makeScenario(name: string, random: Random, marker: string): Scenario {
  const { faults, ends } = SCENARIOS[name](random);
  return { name, faults: faults.map((fault) => only(fault, marker)), ends };
}

/** A run that never ends by itself, so that a cancellation that does not reach the upstream is visible. */
export function endless(marker: string): Scenario {
  const stay = { kind: 'stay', status: 'in_progress' };
  return { name: 'endless', faults: [only(stay, marker)], ends: [] };
}

/** Whether it leaves the outcome of the purchase unknown. */
export function isAmbiguous(plannedScenario: Scenario | undefined): boolean {
  return plannedScenario?.ends.includes(AMBIGUOUS) ?? false;
}

/** Strikes when a run is polled. Such a request does not contain the question, only the run's invocation is known. */
export function isAboutPolling({ kind, match }: UpstreamFault): boolean {
  return match?.method === 'GET' || kind === 'gone' || kind === 'too_old';
}

function only(fault: UpstreamFault, marker: string): UpstreamFault {
  return { ...fault, match: { ...fault.match, body: marker } };
}
