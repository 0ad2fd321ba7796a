import type { AppConfig } from './config';
import { readEnvFile } from './env-file';
import { loadConfig } from './load-config';
import { proxyNotices } from './settings/proxy-settings';
import { unknownVariables } from './unknown-variables';

export interface StartConfig {
  readonly config: AppConfig;
  /** Lines for the operator: the file that was read in addition to the environment, and the proxies. */
  readonly notices: readonly string[];
  /** Warnings for the operator, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the configuration at the start of every process.
 * @throws ConfigError
 */
export function readStartConfig(): StartConfig {
  const envFile = readEnvFile();
  const known = new Set<string>();
  const config = loadConfig(
    new Proxy(process.env, {
      get: (target, name: string) => {
        known.add(name);
        return target[name];
      },
    }),
  );
  const file =
    envFile === undefined ? [] : [`Settings are read from ${envFile}`];
  return {
    config,
    notices: [...file, ...proxyNotices(config)],
    warnings: unknownVariables(process.env, known),
  };
}
