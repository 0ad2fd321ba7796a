import type { AppConfig } from './config';
import { readEnvFile } from './env-file';
import { loadConfig } from './load-config';
import { unknownVariables } from './unknown-variables';

export interface StartConfig {
  readonly config: AppConfig;
  /** The file that was read in addition to the environment. */
  readonly envFile?: string;
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
  return { config, envFile, warnings: unknownVariables(process.env, known) };
}
