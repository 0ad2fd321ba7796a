import { Injectable } from '@nestjs/common';
import { within } from '../../pause';
import type { CheckResult, Readiness } from './health.dto';

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 2_000;
/** Probes of several load balancers share one result. */
const CACHE_MS = 1_000;

/** A failure whose message is safe to show to any caller. */
export class HealthFault extends Error {
  override readonly name = 'HealthFault';
}

interface Check {
  run: () => Promise<string | void>;
  critical: boolean;
}

/** Where modules register their health checks. A failing critical check takes the process out of rotation. */
@Injectable()
export class HealthRegistry {
  private readonly checks = new Map<string, Check>();
  private cached?: { until: number; readiness: Promise<Readiness> };

  /** The result of `run` and the message of a `HealthFault` are shown; any other error only as `failed`. */
  register(
    name: string,
    run: () => Promise<string | void>,
    { critical }: { critical: boolean },
  ): void {
    this.checks.set(name, { run, critical });
  }

  ready(): Promise<Readiness> {
    const now = performance.now();
    if (!this.cached || now >= this.cached.until)
      this.cached = { until: now + CACHE_MS, readiness: this.runChecks() };
    return this.cached.readiness;
  }

  private async runChecks(): Promise<Readiness> {
    const results = await Promise.all(
      [...this.checks].map(
        async ([name, check]) => [name, await runCheck(check)] as const,
      ),
    );
    const failed = results.filter(([, { status }]) => status === 'failed');
    const down = failed.some(([, { critical }]) => critical);
    return {
      status: down ? 'down' : failed.length > 0 ? 'degraded' : 'ok',
      checks: Object.fromEntries(results),
    };
  }
}

async function runCheck({ run, critical }: Check): Promise<CheckResult> {
  try {
    const detail = await within(CHECK_TIMEOUT_MS, run(), () => {
      throw new HealthFault('took too long');
    });
    return { status: 'ok', critical, ...(detail && { detail }) };
  } catch (fault) {
    const detail = fault instanceof HealthFault ? fault.message : 'failed';
    return { status: 'failed', critical, detail };
  }
}
