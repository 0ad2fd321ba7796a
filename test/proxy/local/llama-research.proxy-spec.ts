import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForEnd } from '../../support/event-log';
import type { ForeignServer } from '../../support/processes/foreign-server';
import { Stand } from '../../support/processes/stand';
import { freePort } from '../../support/processes/free-port';
import { until } from '../../support/until';
import { startLlamaServer } from './llama-server';
import { envOf, LlamaStand, PROTOCOL_FAULT } from './llama-stand';
import type { Exchange } from './recorder';

const START_MS = 10 * 60_000;
/** Fifty small calls of a model, one after the other. */
const RUN_MS = 20 * 60_000;

const KIMCHI = `# Kimchi

Kimchi is a Korean dish of salted and fermented vegetables. Gimjang, the making of kimchi for the winter, is on
the list of the intangible cultural heritage of UNESCO since 2013.
`;
const TEA = `# Tea

Green tea is not fermented. It is dried soon after the leaves are picked.
`;

describe('research with a real model of llama.cpp', () => {
  let folder: string;
  let real: LlamaStand;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'documents-'));
    writeFileSync(join(folder, 'kimchi.md'), KIMCHI);
    writeFileSync(join(folder, 'tea.md'), TEA);
    real = await LlamaStand.start({}, { RELAY_DOCUMENTS_DIR: folder });
  }, START_MS);
  beforeEach(() => real.recorder.forget());
  afterAll(async () => {
    await real?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'of the agent ends honestly, and every whole answer of a role obeys its schema',
    async () => {
      const invocation = await real.stand.client().submit({
        research_question: 'What is kimchi?',
        engine: 'agent',
        depth: 'quick',
        data_sources: 'private',
      });
      const record = await waitForEnd(invocation);
      expect(record.status).toMatch(/^(completed|incomplete|failed)$/);
      expect(record.error?.code ?? '').not.toMatch(PROTOCOL_FAULT);
      expect(real.recorder.refused).toEqual([]);
      const texts = real.recorder.exchanges.flatMap(wholeAnswerOfARole);
      expect(texts).not.toEqual([]);
      for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
    },
    RUN_MS,
  );

  it(
    'shares the only slot with a chat',
    async () => {
      const client = real.stand.client();
      const invocation = await client.submit({
        research_question: 'What is tea?',
        engine: 'plain',
      });
      const { body } = await client.post('/api/v1/chat', {
        message: 'Say hello.',
        auto_tool_call: false,
      });
      expect(body).toMatchObject({ status: 'completed', error: null });
      const record = await waitForEnd(invocation);
      expect(record.status).toMatch(/^(completed|incomplete)$/);
      expect(real.recorder.refused).toEqual([]);
    },
    RUN_MS,
  );
});

describe('a long answer of plain research', () => {
  let real: LlamaStand;

  beforeAll(async () => {
    real = await LlamaStand.start({ endless: true, contextTokens: 2_048 });
  }, START_MS);
  afterAll(() => real?.stop());

  it(
    'that nobody watches is kept, and asked for once',
    async () => {
      const invocation = await real.stand.client().submit({
        research_question: 'What is tea?',
        engine: 'plain',
      });
      const record = await until(
        'the end of the run',
        async (saw) => {
          const read = saw(await invocation.read());
          return /^(queued|running)$/.test(read.status) ? false : read;
        },
        RUN_MS,
      );
      expect(record.status).toMatch(/^(completed|incomplete)$/);
      expect(record.output_text).toMatch(/\S/);
      expect(record.error?.code ?? '').not.toMatch(PROTOCOL_FAULT);
      const asked = real.recorder.exchanges.filter(({ body }) => body !== null);
      expect(asked).toHaveLength(1);
    },
    RUN_MS,
  );
});

describe('a model server that starts after Sonde', () => {
  let stand: Stand;
  let llama: ForeignServer | undefined;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    stand = await Stand.start({ env: envOf(`http://127.0.0.1:${port}`) });
  }, START_MS);
  afterAll(async () => {
    await stand.stop();
    await llama?.stop();
  });

  it(
    'carries the research that waited for it, and chats',
    async () => {
      const client = stand.client();
      const invocation = await client.submit({
        research_question: 'What is tea?',
        engine: 'plain',
      });
      await until('the run to be under way', async (saw) =>
        /running|failed/.test(saw(await invocation.read()).status),
      );
      llama = await startLlamaServer({ port });
      const record = await waitForEnd(invocation);
      expect(record.status).toMatch(/^(completed|incomplete)$/);
      const { body } = await client.post('/api/v1/chat', {
        message: 'Say hello.',
        auto_tool_call: false,
      });
      expect(body).toMatchObject({ status: 'completed', error: null });
    },
    RUN_MS,
  );
});

/** The text of an answer with a schema that the model ended by itself; nothing of other exchanges. */
function wholeAnswerOfARole({ body, reply }: Exchange): string[] {
  const format = JSON.stringify(body?.text ?? body?.response_format ?? '');
  if (!/"name":"research_/.test(format) || !reply.startsWith('{')) return [];
  const { choices, output } = JSON.parse(reply);
  if (choices)
    return choices[0].finish_reason === 'stop'
      ? [choices[0].message.content]
      : [];
  return (output ?? []).flatMap(
    (item: { content?: { text?: string }[] }) =>
      item.content?.flatMap(({ text }) => text ?? []) ?? [],
  );
}
