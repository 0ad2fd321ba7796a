import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { projectVersion } from '../../config/project-version';

/** Traces what this process does, if a receiver is configured. Otherwise no module of OpenTelemetry is loaded. */
export async function startTracing(
  { tracing }: AppConfig,
  onShutdown: (close: () => Promise<unknown>) => void,
): Promise<void> {
  if (!tracing) return;
  const log = new Logger('Traces');
  const { startOtlp } =
    await import('../../platform/tracing/otlp/start-otlp.js');
  const resource = {
    'service.version': projectVersion(),
    'service.instance.id': randomUUID(),
    ...tracing.resource,
  };
  const stop = startOtlp({ ...tracing, resource }, (received) => {
    if (received) log.log('The receiver of traces takes them again');
    else log.warn('The receiver of traces does not take them');
  });
  onShutdown(stop);
  log.log('Traces are sent by OTLP');
}
