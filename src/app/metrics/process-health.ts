import type { INestApplicationContext } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Page } from '../../platform/metrics/metrics-server';
import {
  HealthFault,
  HealthRegistry,
} from '../../platform/observability/health/health-registry';
import { checkRedis } from '../../platform/observability/health/redis-health';
import { RedisConnections } from '../../platform/redis/redis-connections';

const TYPE = 'application/json; charset=utf-8';

/** Whether this process runs, and whether it can work: not before its start is complete, without Redis, or as it shuts down. */
export class ProcessHealth {
  // Each state has a registry of its own, because results are cached.
  private registry = refusing('starting');

  started(part: INestApplicationContext): void {
    const redis = part.get(RedisConnections, { strict: false });
    const registry = new HealthRegistry();
    const config = part.get(AppConfig, { strict: false });
    checkRedis(registry, redis, config);
    this.registry = registry;
  }

  drain(): void {
    this.registry = refusing('draining');
  }

  /** Checks nothing, so that an outage never restarts the process. */
  live(): Promise<Page> {
    return Promise.resolve(page(200, { status: 'ok' }));
  }

  async ready(): Promise<Page> {
    const readiness = await this.registry.ready();
    return page(readiness.status === 'down' ? 503 : 200, readiness);
  }
}

function refusing(state: 'starting' | 'draining'): HealthRegistry {
  const registry = new HealthRegistry();
  const refuse = () => Promise.reject(new HealthFault(state));
  registry.register('process', refuse, { critical: true });
  return registry;
}

function page(status: number, body: object): Page {
  return { status, type: TYPE, text: JSON.stringify(body) };
}
