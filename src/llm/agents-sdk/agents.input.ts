import type { AgentInputItem } from '@openai/agents';

const AT = 'sonde_input';

/**
 * What was said before a run of the SDK. The SDK is given one reference instead of the items: in every turn it
 * serialises and clones its whole input several times, which holds up the process for as long as the input is large.
 */
export class AgentsInput<T extends object> {
  constructor(private readonly items: readonly T[]) {}

  /** In a form that the SDK hands on as it is. */
  reference(): AgentInputItem[] {
    return [{ type: 'unknown', providerData: { [AT]: true } }];
  }

  /** The items behind the reference; any other item is itself. */
  resolve(item: T): readonly T[] {
    return AT in item ? this.items : [item];
  }
}
