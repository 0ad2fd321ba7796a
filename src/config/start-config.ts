import type { AppConfig } from './config';
import { readEnvFile } from './env-file';
import { loadConfig } from './load-config';
import { unknownVariables } from './unknown-variables';

export interface StartConfig {
  readonly config: AppConfig;
  /** The file that was read beside the environment of the process. */
  readonly envFile?: string;
  /** What an operator should know of the environment, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * What every process reads at its start.
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
