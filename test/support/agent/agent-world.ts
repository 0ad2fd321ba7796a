import { createHash } from 'node:crypto';
import { markdownHeadings } from '../../../src/sources/pages/extraction/headings';
import { countTokens } from '../../../src/llm/tokens/count-tokens';
import type {
  AgentModel,
  AgentPorts,
  SearchHit,
} from '../../../src/research/agent/agent-ports';
import type { ResearchTask } from '../../../src/research/agent/agent.types';
import { researchArguments } from '../../../src/research/arguments/research-arguments';
import { blocksOf, honestRoles, type Roles } from './scripted-roles';

export interface WorldPage {
  title: string;
  /** Its headings are those of Markdown; the id of each is its text. */
  text: string;
  /** The place of the page that the search names. */
  fragment?: string;
}

export const TOWER: Readonly<Record<string, WorldPage>> = {
  'https://tower.example/height': {
    title: 'Height of the tower',
    text: 'The tower is 330 metres high. It was the tallest building of the world until 1930.\n\nIt is not open at night.',
  },
  'https://tower.example/history': {
    title: 'History [of] the tower',
    text: 'The tower was built in 1889. Its engineer was Maurice Koechlin.\n\nIt may be painted again in 2031.',
  },
  'https://other.example/visit': {
    title: 'Visits',
    text: 'About 6 million people visit the tower every year. The lift was renewed in 1986.',
  },
};

export interface WorldOptions {
  pages?: Readonly<Record<string, WorldPage>>;
  private?: Readonly<Record<string, string>>;
  /** The addresses of pages that a query finds on the web, the best first; all pages without it. */
  finds?: (query: string) => readonly string[];
  roles?: Roles;
  contextTokens?: number;
  price?: AgentModel['price'];
  /** False: the web cannot be searched. */
  public?: boolean;
  /** The last effect that was begun is the first that ends. */
  reversed?: boolean;
  ports?: Partial<AgentPorts>;
}

/** Everything outside of the agent, in memory: some pages, a search that knows them all, and a model with scripted roles. */
export class AgentWorld {
  readonly prompts: { role: string; system: string; user: string }[] = [];
  readonly queries: { text: string; scope: string }[] = [];
  readonly fetched: string[] = [];
  readonly ports: AgentPorts;
  now = Date.parse('2026-01-01T00:00:00Z');
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly options: WorldOptions = {}) {
    const model: AgentModel = {
      name: 'scripted',
      contextTokens: options.contextTokens ?? 32_768,
      factors: { cjk: 1, other: 1 },
      ...(options.price && { price: options.price }),
    };
    this.ports = {
      complete: { complete: (request) => this.complete(request) },
      search: {
        has: (scope) =>
          scope === 'public'
            ? options.public !== false
            : options.private !== undefined,
        search: async ({ text, scope }) => {
          this.queries.push({ text, scope });
          await this.turn();
          return { provider: 'world', hits: this.hits(scope, text), tried: [] };
        },
      },
      pages: { read: (url) => this.read(url) },
      models: { writer: model, reader: model, critic: model, verifier: model },
      countTokens,
      now: () => this.now,
      timeZone: 'Asia/Seoul',
      modelTimeoutMs: 1_000,
      ...options.ports,
    };
  }

  private async complete(
    request: Parameters<AgentPorts['complete']['complete']>[0],
  ): ReturnType<AgentPorts['complete']['complete']> {
    const [system, user] = request.messages.map(({ content }) => content);
    const role = request.schema!.name;
    this.prompts.push({ role, system, user });
    await this.turn();
    const roles: Roles = { ...honestRoles, ...this.options.roles };
    const answer = roles[role](blocksOf(user));
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const usage = {
      input_tokens: countTokens(system + user, { cjk: 1, other: 1 }),
      output_tokens: countTokens(text, { cjk: 1, other: 1 }),
    };
    return { text, finish: 'stop', usage };
  }

  private hits(scope: string, query: string): SearchHit[] {
    const { pages = TOWER, private: own = {}, finds } = this.options;
    if (scope === 'private')
      return Object.entries(own).map(([name, content]) => ({
        url: `document:${name}`,
        title: name,
        snippet: '',
        provider: 'world',
        content,
      }));
    return (finds?.(query) ?? Object.keys(pages)).map((url) => {
      const { title, fragment } = pages[url];
      const address = fragment === undefined ? url : `${url}#${fragment}`;
      return { url: address, title, snippet: '', provider: 'world' };
    });
  }

  private async read(url: string) {
    this.fetched.push(url);
    await this.turn();
    const page = (this.options.pages ?? TOWER)[url];
    if (!page) throw Object.assign(new Error(url), { fault: 'http_error' });
    const { title, text } = page;
    const sha256 = createHash('sha256').update(text).digest('hex');
    const fetchedAt = '2026-01-01T00:00:00.000Z';
    const headings = markdownHeadings(text).map((one) => ({
      ...one,
      ids: [one.text],
    }));
    return { url, title, text, sha256, fetchedAt, mime: 'text/html', headings };
  }

  /** Effects that are under way together end in the chosen order. */
  private turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setImmediate(() => {
        const next = this.options.reversed
          ? this.waiting.pop()
          : this.waiting.shift();
        next?.();
      });
    });
  }
}

export function researchTask(
  args: object = {},
  more: Partial<ResearchTask> = {},
): ResearchTask {
  return {
    args: researchArguments.parse({
      research_question: 'How high is the tower, and what is its history?',
      ...args,
    }) as ResearchTask['args'],
    depth: 'auto',
    verify: 'enforce',
    budget: {},
    deadlineMs: Date.parse('2026-01-01T01:00:00Z'),
    ...more,
  };
}
