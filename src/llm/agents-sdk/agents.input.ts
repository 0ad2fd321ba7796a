import type { AgentInputItem } from '@openai/agents';

const AT = 'sonde_input';

/**
 * The conversation before a run of the SDK. The SDK receives one reference instead of the items: in every turn it
 * serialises and clones its whole input several times, which blocks the process in proportion to the input.
 */
export class AgentsInput<T extends object> {
  constructor(private readonly items: readonly T[]) {}

  /** The reference, in a form that the SDK passes on unchanged. */
  reference(): AgentInputItem[] {
    return [{ type: 'unknown', providerData: { [AT]: true } }];
  }

  /** The items behind the reference; any other item stands for itself. */
  resolve(item: T): readonly T[] {
    return AT in item ? this.items : [item];
  }
}
