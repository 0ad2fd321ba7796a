import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModelChoice } from '../../llm/models/model.choice';
import { EndListeners } from '../../runs/upkeep/end-listeners';
import { AdmissionStore } from './admission.store';
import { ResearchDispatcher } from './research.dispatcher';

/** Whoever waits is woken when a place is free; one whom nobody wakes asks again after so much time. */
const RETRY_FIRST_MS = 5_000;
const RETRY_MOST_MS = 60_000;
const RETRY_EACH_MS = 100;

/** Lets invocations in when the model has a place for them, in the order in which they stand in the line. */
@Injectable()
export class WaitingList implements OnModuleInit {
  constructor(
    private readonly admission: AdmissionStore,
    private readonly models: ModelChoice,
    private readonly carrier: ResearchDispatcher,
    private readonly endings: EndListeners,
  ) {}

  onModuleInit(): void {
    this.endings.register({
      settle: (id) => this.leave(id),
      leftovers: () => this.admission.everybody(),
    });
  }

  /** `retryMs`: when to ask again, unless called before. `before`: how many are ahead. */
  async enter(
    id: string,
    rank: number,
  ): Promise<'in' | { retryMs: number; before: number }> {
    const [model] = (await this.models.known()).research;
    const entry = await this.admission.enter(id, rank, model);
    if (entry.kind === 'in') {
      if (entry.next) await this.carrier.hasten(entry.next);
      return 'in';
    }
    const ms = RETRY_FIRST_MS + entry.before * RETRY_EACH_MS;
    return {
      before: entry.before,
      retryMs: Math.min(ms, RETRY_MOST_MS) * (0.75 + Math.random() / 2),
    };
  }

  /** Wakes those for whom there is a place, in case the word was lost that should have. */
  async wake(): Promise<void> {
    const [model] = (await this.models.known()).research;
    for (const id of await this.admission.admissible(model))
      await this.carrier.hasten(id);
  }

  /** Gives up its place, whether in the line or among the admitted. */
  async leave(id: string): Promise<void> {
    const next = await this.admission.leave(id);
    if (next) await this.carrier.hasten(next);
  }
}
