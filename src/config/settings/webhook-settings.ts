import type { AppConfig } from '../config';
import type { Environment } from '../environment';
import { outboundUrlFault } from '../addresses/outbound-url';

type Settings = AppConfig['webhooks'];

const EVERYONE_ELSE = '*';
const SECRETS = 'RELAY_WEBHOOK_SECRETS';
const URLS = 'RELAY_WEBHOOK_URLS';
const SECRET_EXAMPLE = '*:whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const URL_EXAMPLE = 'alice=https://hooks.example.com/sonde';

interface Callers {
  readonly names: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** False: names of keys that are made while the service runs are valid too. */
  readonly areAll: boolean;
}

export function readWebhooks(env: Environment, callers: Callers): Settings {
  const allowPrivate = env.flag('RELAY_WEBHOOK_ALLOW_PRIVATE', false);
  const secrets = readSecrets(env, callers);
  return {
    secrets,
    urls: readUrls(env, callers, secrets, allowPrivate),
    allowPrivate,
    timeoutMs: env.seconds('RELAY_WEBHOOK_TIMEOUT_SECONDS', 10, 1, 60),
  };
}

/** The secrets that sign the webhooks of a caller, base64 after `whsec_`: several during a rotation. */
export function webhookSecrets(
  { secrets }: Pick<Settings, 'secrets'>,
  caller: string | undefined,
): readonly string[] {
  return (
    (caller !== undefined && secrets.get(caller)) ||
    (secrets.get(EVERYONE_ELSE) ?? [])
  );
}

/** Errors never repeat the secrets. */
function readSecrets(env: Environment, callers: Callers): Settings['secrets'] {
  const secrets = new Map<string, string[]>();
  for (const item of env.list(SECRETS, [])) {
    const [, name, secret] = /^(.+):([^:]*)$/.exec(item) ?? [];
    if (!name || !isSecret(secret))
      return env.fail(
        SECRETS,
        'has an entry that is not name:whsec_<base64 of 24 to 64 bytes>',
        SECRET_EXAMPLE,
      );
    if (name !== EVERYONE_ELSE && !isCaller(callers, name))
      return env.fail(
        SECRETS,
        `names "${name}", which RELAY_API_KEYS does not`,
        SECRET_EXAMPLE,
      );
    secrets.set(name, [...(secrets.get(name) ?? []), secret]);
  }
  return secrets;
}

function isCaller({ names, areAll }: Callers, name: string): boolean {
  return !areAll || names.has(name);
}

function isSecret(text: string): boolean {
  const [, base64] = /^whsec_(.+)$/.exec(text) ?? [];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, 'base64');
  return (
    bytes.length >= 24 &&
    bytes.length <= 64 &&
    bytes.toString('base64') === base64
  );
}

/** Errors never repeat the URLs, which may contain tokens. */
function readUrls(
  env: Environment,
  callers: Callers,
  secrets: Settings['secrets'],
  allowPrivate: boolean,
): Settings['urls'] {
  const urls = new Map<string, string>();
  const fail = (fault: string): never => env.fail(URLS, fault, URL_EXAMPLE);
  for (const item of env.list(URLS, [])) {
    const [, name, url] = /^([^=]+)=(.+)$/.exec(item) ?? [];
    if (!name) return fail('has an entry that is not name=url');
    if (!isCaller(callers, name))
      return fail(`names "${name}", which RELAY_API_KEYS does not`);
    if (urls.has(name)) return fail(`names "${name}" twice`);
    if (webhookSecrets({ secrets }, name).length === 0)
      return fail(`names "${name}", for which ${SECRETS} has no secret`);
    const fault = outboundUrlFault(url, allowPrivate);
    if (fault) return fail(`has for "${name}" a URL that ${fault}`);
    urls.set(name, new URL(url).href);
  }
  return urls;
}
