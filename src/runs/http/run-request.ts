import type { AppConfig } from '../../config/config';
import { webhookSecrets } from '../../config/settings/webhook-settings';
import { outboundUrlFault } from '../../config/addresses/outbound-url';
import { AppError, type FieldError } from '../../platform/errors';
import type { Mode } from '../record/run';

function refuse(error: FieldError): never {
  throw new AppError('validation_failed', 'The request is not valid.', {
    errors: [error],
  });
}

/** Takes the two flags that choose the mode out of the arguments; the rest is the tool's own. `faults`: of the flags. */
export function readMode(
  args: Record<string, unknown>,
  respondAsync: boolean,
): { mode: Mode; args: Record<string, unknown>; faults: FieldError[] } {
  const { background: later, stream: live, ...rest } = args;
  const [background, stream] = [later ?? false, live ?? false];
  const faults = Object.entries({ background, stream })
    .filter(([, flag]) => typeof flag !== 'boolean')
    .map(([name]) => ({
      path: `arguments.${name}`,
      message: 'must be true or false',
    }));
  if (background === true && stream === true) {
    const message = 'cannot both be true: choose background or stream';
    faults.push(
      { path: 'arguments.background', message },
      { path: 'arguments.stream', message },
    );
  }
  const unwatched = background || respondAsync ? 'background' : 'foreground';
  return { mode: stream ? 'stream' : unwatched, args: rest, faults };
}

/** Where a caller asks for the end to be announced. `faults`: of what it asked for. */
export function readWebhook(
  asked: { url: string } | null | undefined,
  caller: string | undefined,
  settings: AppConfig['webhooks'],
): { webhook?: string; faults: FieldError[] } {
  if (!asked) return { faults: [] };
  if (webhookSecrets(settings, caller).length === 0) {
    const message = 'webhooks are not configured';
    return { faults: [{ path: 'webhook', message }] };
  }
  const message = outboundUrlFault(asked.url, settings.allowPrivate);
  return message
    ? { faults: [{ path: 'webhook.url', message }] }
    : { webhook: new URL(asked.url).href, faults: [] };
}

/** As the contract has it. */
export const IDEMPOTENCY_KEY = {
  type: 'string',
  pattern: '^[\\x20-\\x7e]{1,255}$',
};

export function readIdempotencyKey(
  header: string | undefined,
): string | undefined {
  if (header === undefined || new RegExp(IDEMPOTENCY_KEY.pattern).test(header))
    return header;
  return refuse({
    path: 'Idempotency-Key',
    message: 'must be 1 to 255 printable ASCII characters',
  });
}

/** How long `/wait` waits by itself and at most, in seconds: proxies cut a response that is silent for a minute. */
export const WAIT_SECONDS = { default: 20, most: 50 };

/** `timeout` of a wait: seconds in, milliseconds out. More than the maximum is the maximum. */
export function readTimeout(query: string | undefined): number {
  if (query === undefined) return WAIT_SECONDS.default * 1000;
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(query)) {
    refuse({
      path: 'timeout',
      message: 'must be a number of seconds, e.g. 30',
    });
  }
  return Math.min(Number(query), WAIT_SECONDS.most) * 1000;
}

/** Where to resume an event stream; the header, which browsers send by themselves, wins. 0: from the start. */
export function readCursor(
  header: string | undefined,
  query: string | undefined,
): number {
  const value = header || query;
  if (!value) return 0;
  if (!/^\d{1,15}$/.test(value)) {
    refuse({
      path: header ? 'Last-Event-ID' : 'last_event_id',
      message: 'must be the id of an event',
    });
  }
  return Number(value);
}
