import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DispatcherRegistry } from '../../../runs/queue/dispatcher.registry';
import { EndListeners } from '../../../runs/upkeep/end-listeners';
import { SUBMITTED, versionOf, withVersion } from '../../../runs/run-id';
import { RESEARCH_JOB } from '../../research.queue';

/** Of the UUIDs that public phases are made of. */
const PUBLIC_PHASE = '8';

/**
 * The invocation that is the public phase of this one. Nothing else has such an id, and whoever has it finds back: that
 * needs no record.
 */
export function publicPhaseOf(id: string): string {
  return withVersion(id, PUBLIC_PHASE);
}

/** The invocation that waits for this one, if this is a public phase. */
export function askerOf(id: string): string | undefined {
  return versionOf(id) === PUBLIC_PHASE
    ? withVersion(id, SUBMITTED)
    : undefined;
}

/** Wakes whoever waits for a public phase when that has ended. Who is not waiting yet looks by itself. */
@Injectable()
export class PublicPhase implements OnModuleInit {
  constructor(
    private readonly endings: EndListeners,
    private readonly carriers: DispatcherRegistry,
  ) {}

  onModuleInit(): void {
    this.endings.register({ settle: (id) => this.wake(id) });
  }

  private async wake(id: string): Promise<void> {
    const asker = askerOf(id);
    if (asker) await this.carriers.of(RESEARCH_JOB).hasten(asker);
  }
}
