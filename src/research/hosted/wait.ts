import type { UpstreamError } from '../../llm/upstream/upstream.error';

const WAITS = {
  limited: 'The model endpoint is limiting requests',
  unreachable: 'The model endpoint cannot be reached',
  failing: 'The model endpoint is failing',
};

/** Why a run has to wait for the endpoint. */
export type Wait = keyof typeof WAITS;

export function waitAfter({ code }: UpstreamError): Wait {
  if (code === 'upstream_rate_limited') return 'limited';
  return code === 'upstream_unreachable' ? 'unreachable' : 'failing';
}

/** Names no host, as everybody who follows the run reads it. */
export function describeWait(why: Wait, ms: number): string {
  return `${WAITS[why]}; the next try is in ${Math.ceil(ms / 1000)} s`;
}

/** Of a run that has no place among those of its model yet. */
export function describeLine(ahead: number): string {
  return `The model runs as many as it may; ${ahead} more wait in front`;
}
