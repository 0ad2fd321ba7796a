import type { Environment } from '../environment';

/** Scheme, host and port of each, exactly: never a whole network. */
export function readOrigins(
  env: Environment,
  name: string,
  example: string,
): string[] {
  const origins = env.list(name, []);
  for (const origin of origins) {
    if (
      !/^https?:$/.test(protocolOf(origin)) ||
      new URL(origin).origin !== origin
    )
      env.fail(
        name,
        `names "${origin}", which is not an origin: scheme, host and port, and nothing after them`,
        example,
      );
  }
  return origins;
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
