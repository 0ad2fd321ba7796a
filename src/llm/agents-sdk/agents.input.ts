import type { AgentInputItem } from '@openai/agents';

const AT = 'sonde_input';

/**
 * What was said before a run of the SDK. The SDK is given a reference to each item instead of the item: in every turn it
 * serialises and clones its whole input several times, which holds up the process for as long as the input is large.
 */
export class AgentsInput<T extends object> {
  constructor(private readonly items: readonly T[]) {}

  /** In a form that the SDK hands on as it is. */
  references(): AgentInputItem[] {
    return this.items.map((_, at) => ({
      type: 'unknown',
      providerData: { [AT]: at },
    }));
  }

  /** The item behind a reference; any other item is itself. */
  resolve(item: T): T {
    const at = (item as { [AT]?: number })[AT];
    return at === undefined ? item : this.items[at];
  }
}
