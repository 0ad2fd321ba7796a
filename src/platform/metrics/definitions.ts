export interface Definition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** From a chat turn to the longest run. */
const SECONDS = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200,
];

const counter = (help: string, ...labels: string[]): Definition => ({
  type: 'counter',
  help,
  labels,
});
const gauge = (help: string, ...labels: string[]): Definition => ({
  type: 'gauge',
  help,
  labels,
});
const seconds = (help: string, ...labels: string[]): Definition => ({
  type: 'histogram',
  help,
  labels,
  buckets: SECONDS,
});

/** Every metric of the service. */
export const METRICS = {
  sonde_runs_accepted_total: counter('Runs put on record.', 'kind'),
  sonde_runs_ended_total: counter(
    'Runs whose end was written, and chats without a record.',
    'kind',
    'engine',
    'model',
    'status',
    'code',
  ),
  sonde_run_duration_seconds: seconds(
    'Time from the first claim of a run to its end.',
    'kind',
    'engine',
    'status',
  ),
  sonde_run_wait_seconds: seconds(
    'Time from the submission of a run, or when it was due, to its first claim.',
    'kind',
  ),
  sonde_active_runs: gauge('Runs that this process holds.'),
  sonde_takeovers_total: counter(
    'Runs claimed after their worker disappeared.',
    'kind',
  ),
  sonde_quarantine_waits_total: counter(
    'Deliveries that were put off: their run may be what crashes its workers, and few such runs are carried at a time.',
    'kind',
  ),
  sonde_leases_lost_total: counter(
    'Runs that this process held and lost.',
    'kind',
  ),
  sonde_delivery_retries_total: counter(
    'Deliveries that failed unexpectedly and are repeated.',
    'kind',
  ),
  sonde_purchases_sent_total: counter(
    'Creates sent to the model endpoint for hosted research.',
    'model',
  ),
  sonde_purchases_settled_total: counter(
    'Outcomes of creates on record.',
    'outcome',
  ),
  sonde_polls_total: counter('Requests for the state of a hosted run.'),
  sonde_upstream_retries_total: counter(
    'Repeated calls of a chat model, by why the call before failed.',
    'code',
  ),
  sonde_model_answers_total: counter(
    'Answers of chat models, all turns of one as one, and of embedding models.',
    'engine',
    'model',
    'code',
  ),
  sonde_engine_fallbacks_total: counter(
    'Chats that continued with another engine or protocol.',
    'from',
    'to',
    'model',
  ),
  sonde_tokens_total: counter(
    'Tokens that model endpoints reported.',
    'kind',
    'model',
    'direction',
  ),
  sonde_upstream_tool_calls_total: counter(
    'Searches and other calls of tools in research.',
    'kind',
    'engine',
  ),
  sonde_cost_usd_total: counter(
    'Cost of ended research and of replies in chats, in US dollars, where it is known.',
    'engine',
    'model',
    'source',
  ),
  sonde_limits_reached_total: counter(
    'Budgets that ended runs of the research agent reached.',
    'limit',
  ),
  sonde_requests_refused_total: counter(
    'Requests answered with a problem, limits that were hit included.',
    'code',
  ),
  sonde_limit_hits_total: counter(
    'Refusals by a limit or a budget of an API key.',
    'limit',
  ),
  sonde_followers: gauge(
    'Event streams and waits for the end of a run at this process.',
  ),
  sonde_unfinished_runs: gauge(
    'Runs of the installation that have not ended, as each process sees them.',
  ),
  sonde_unfinished_runs_limit: gauge('The capacity of the installation.'),
  sonde_queue_jobs: gauge(
    'Jobs of the installation, as each process sees them.',
    'queue',
    'state',
  ),
  sonde_workers: gauge(
    'Workers of the installation, as each process sees them.',
    'queue',
  ),
  sonde_oldest_run_seconds: gauge(
    'How long the oldest run of the installation is so, as each process sees it.',
    'state',
  ),
  sonde_redis_up: gauge('Whether Redis answered within a second.'),
  sonde_redis_latency_seconds: gauge('Time of one PING of Redis.'),
  sonde_event_loop_delay_seconds: gauge(
    'Delay of the event loop since the scrape before.',
    'percentile',
  ),
  sonde_process_cpu_seconds_total: counter('CPU time of this process.'),
  sonde_process_resident_memory_bytes: gauge('Memory of this process.'),
  sonde_process_start_time_seconds: gauge('When this process was started.'),
  sonde_build_info: gauge('Always 1.', 'version'),
} satisfies Record<string, Definition>;

export type MetricName = keyof typeof METRICS;
