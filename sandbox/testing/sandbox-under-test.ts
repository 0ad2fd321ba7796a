import OpenAI from 'openai';
import type { Sandbox, SandboxOptions } from '../server';
import { startSandbox } from '../server';

export interface SandboxUnderTest {
  url: string;
  /** The real SDK without its retries: a test must see the first response. */
  client: OpenAI;
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  post(path: string, body?: unknown): Promise<Response>;
  fault(spec: Record<string, unknown>): Promise<void>;
  config(change: Record<string, unknown>): Promise<void>;
  clearFaults(): Promise<void>;
  reset(): Promise<void>;
  close: Sandbox['close'];
}

export async function sandboxUnderTest(
  options: SandboxOptions = {},
): Promise<SandboxUnderTest> {
  const sandbox = await startSandbox({
    turnMs: 1,
    researchMs: 40,
    strictItems: true,
    ...options,
  });
  const { url } = sandbox;
  const post = (path: string, body?: unknown) =>
    fetch(url + path, {
      method: 'POST',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const expectOk = async (reply: Promise<Response>) => {
    const { ok, status } = await reply;
    if (!ok) throw new Error(`The sandbox answered ${status}.`);
  };
  return {
    url,
    client: new OpenAI({
      baseURL: `${url}/v1`,
      apiKey: 'any',
      maxRetries: 0,
    }),
    get: async <T>(path: string) =>
      (await (await fetch(url + path)).json()) as T,
    post,
    fault: (spec) => expectOk(post('/sandbox/faults', spec)),
    config: (change) => expectOk(post('/sandbox/config', change)),
    clearFaults: () =>
      expectOk(fetch(`${url}/sandbox/faults`, { method: 'DELETE' })),
    reset: () => expectOk(post('/sandbox/reset')),
    close: () => sandbox.close(),
  };
}

export const webSearch = [{ type: 'web_search_preview' as const }];

export const researchTool = {
  type: 'function' as const,
  name: 'deep_research',
  description: 'Researches a question in depth.',
  strict: true,
  parameters: {
    type: 'object',
    properties: {
      research_question: { type: 'string' },
      context: { type: ['array', 'null'], items: { type: 'string' } },
      constraints: { type: 'array', items: { type: 'string' } },
      deliverable_format: {
        anyOf: [
          { type: 'string', enum: ['markdown_brief', 'markdown_report'] },
          { type: 'null' },
        ],
      },
    },
    required: [
      'research_question',
      'context',
      'constraints',
      'deliverable_format',
    ],
    additionalProperties: false,
  },
};

/** Polls for a condition; the timeout is that of the test. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()))
    await new Promise((resolve) => setImmediate(resolve));
}
