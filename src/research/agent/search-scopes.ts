/** What the agent can search: the web, and sources of the operator's own. */
export abstract class SearchScopes {
  abstract has(scope: 'public' | 'private'): boolean;
}
