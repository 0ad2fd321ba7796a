import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricsRegistry } from './registry';

/** Values of the monitor contain its own interval. */
const RESOLUTION_MS = 20;
const PERCENTILES = [50, 99, 100];

/** Measures this process. */
export class ProcessMetrics {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor(private readonly registry: MetricsRegistry) {
    this.delay.enable();
    const startedMs = Date.now() - process.uptime() * 1_000;
    registry.set('sonde_process_start_time_seconds', startedMs / 1_000);
  }

  /** Called for each scrape. */
  collect(): void {
    const { registry, delay } = this;
    for (const percentile of PERCENTILES) {
      const ms = delay.percentile(percentile) / 1e6 - RESOLUTION_MS;
      registry.set(
        'sonde_event_loop_delay_seconds',
        Math.max(0, ms) / 1_000,
        String(percentile),
      );
    }
    delay.reset();
    const { user, system } = process.cpuUsage();
    registry.clear('sonde_process_cpu_seconds_total');
    registry.add('sonde_process_cpu_seconds_total', (user + system) / 1e6);
    registry.set(
      'sonde_process_resident_memory_bytes',
      process.memoryUsage.rss(),
    );
  }

  close(): void {
    this.delay.disable();
  }
}
