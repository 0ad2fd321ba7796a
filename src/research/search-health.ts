import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  HealthFault,
  HealthRegistry,
} from '../platform/observability/health/health-registry';
import { SearchChain } from '../sources/search/search-chain';

/** Which search providers there are, and which of them are not used at the moment: names and faults alone. */
@Injectable()
export class SearchHealth implements OnModuleInit {
  constructor(
    private readonly health: HealthRegistry,
    private readonly search: SearchChain,
  ) {}

  onModuleInit(): void {
    if (!this.search.has('public') && !this.search.has('private')) return;
    this.health.register('search', () => this.check(), { critical: false });
  }

  private async check(): Promise<string> {
    const states = await this.search.states();
    const paused = states.filter(
      ({ fault }) => fault && fault !== 'rate_limited',
    );
    if (paused.length > 0)
      throw new HealthFault(
        paused.map(({ name, fault }) => `${name} ${fault}`).join(', '),
      );
    return states.map(({ name, scope }) => `${name} (${scope})`).join(', ');
  }
}
