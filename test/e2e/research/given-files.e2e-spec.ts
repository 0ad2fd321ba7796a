import type { Client } from '../../support/client';
import {
  docx,
  encryptedPdf,
  paragraph,
  pdf,
  pdfBomb,
} from '../../support/pages/files';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';

const COMET = 'The comet of 1682 was seen over the mountains in spring.';
const TIDES = 'The tides of the bay are fourteen metres high in autumn.';
const QUESTION = 'When was the comet of 1682 seen?';

const inBase64 = (bytes: Buffer): string => bytes.toString('base64');
const COMET_PDF = {
  filename: 'comet.pdf',
  file_data: `data:application/pdf;base64,${inBase64(pdf(1, { show: () => `(${COMET})` }))}`,
};
const TIDES_DOCX = {
  title: 'Tides',
  filename: 'tides.docx',
  file_data: inBase64(docx(paragraph(TIDES))),
};
const LOCKED_PDF = { file_data: inBase64(encryptedPdf()) };

describe('the files of a request', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      searchesSandbox: true,
      env: { RELAY_AGENT_MODELS: 'writer:sandbox-plain' },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  it('reach the model as their texts, which are all that the record has of them', async () => {
    const { body } = await client.research({
      research_question: QUESTION,
      documents: [COMET_PDF, { title: 'Note', text: 'A note.' }, TIDES_DOCX],
    });
    expect(body.status).toBe('completed');
    const key = `sonde:{${body.invocation_id}}:record`;
    const args = String(await stand.redis.call('HGET', key, 'args'));
    expect(JSON.parse(args).documents).toEqual([
      { title: 'comet.pdf', text: expect.stringContaining(COMET) },
      { title: 'Note', text: 'A note.' },
      { title: 'Tides', text: expect.stringContaining(TIDES) },
    ]);
    const [{ body: bought }] = await stand.requests();
    for (const part of ['comet.pdf', COMET, 'A note.', 'Tides', TIDES])
      expect(JSON.stringify(bought.input)).toContain(part);
  });

  it('are sources of the agent, which quotes them', async () => {
    const { body } = await client.research({
      research_question: QUESTION,
      engine: 'agent',
      documents: [COMET_PDF],
    });
    expect(body).toMatchObject({ status: 'completed' });
    expect(body.sources).toContainEqual(
      expect.objectContaining({ url: 'document:1', title: 'comet.pdf' }),
    );
    expect(body.output_text).toContain('seen over the mountains in spring');
  });

  it('that cannot be read are named before anything is bought', async () => {
    const reply = await client.research({
      research_question: QUESTION,
      documents: [COMET_PDF, LOCKED_PDF],
    });
    expectProblem(reply, {
      status: 422,
      code: 'validation_failed',
      paths: ['arguments.documents.1.file_data'],
    });
    expect(reply.body.errors[0].message).toBe('has a password');
    expect(await stand.requests()).toEqual([]);
  });

  it('that would take all memory are refused, and the service reads the next ones', async () => {
    const bomb = { file_data: inBase64(pdfBomb(300_000_000)) };
    const reply = await client.research({
      research_question: QUESTION,
      documents: [bomb],
    });
    expectProblem(reply, {
      status: 422,
      code: 'validation_failed',
      paths: ['arguments.documents.0.file_data'],
    });
    const { body } = await client.research({
      research_question: QUESTION,
      documents: [COMET_PDF],
    });
    expect(body.status).toBe('completed');
  });

  const respond = (...parts: object[]) => {
    const content = [{ type: 'input_text', text: QUESTION }, ...parts];
    return client.post('/v1/responses', {
      model: 'o3-deep-research',
      input: [{ role: 'user', content }],
    });
  };

  it('are parts of a message at /v1/responses', async () => {
    const { status, body } = await respond({
      type: 'input_file',
      ...COMET_PDF,
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    });
    const [{ body: bought }] = await stand.requests();
    for (const part of [QUESTION, 'comet.pdf', COMET])
      expect(JSON.stringify(bought.input)).toContain(part);
    const items = await client.get(`/v1/responses/${body.id}/input_items`);
    expect(items.body.data[0].content).toEqual([
      { type: 'input_text', text: QUESTION },
      { type: 'input_file', filename: 'comet.pdf' },
    ]);
  });

  it.each([
    ['that has a password', LOCKED_PDF, 'file_data', 'has a password'],
    ['of the Files API', { file_id: 'file-1' }, 'file_id', 'put the file itself into file_data'], // prettier-ignore
    ['elsewhere', { file_url: 'https://example.com/a.pdf' }, 'file_url', 'put the file itself into file_data'], // prettier-ignore
  ])(
    'are refused at /v1/responses by where they are, before anything is bought: one %s',
    async (_, file, field, words) => {
      const { status, body } = await respond(
        { type: 'input_text', text: 'See the file.' },
        { type: 'input_file', ...file },
      );
      expect(status).toBe(400);
      expect(body.error.param).toBe(`input[0].content[2].${field}`);
      expect(body.error.message).toContain(words);
      expect(await stand.requests()).toEqual([]);
    },
  );

  it('are refused by a chat model at /v1/responses, with where they can go', async () => {
    const { status, body } = await client.post('/v1/responses', {
      model: (await client.get('/v1/models')).body.data[0].id,
      input: [
        { role: 'user', content: [{ type: 'input_file', ...COMET_PDF }] },
      ],
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      param: 'input[0].content[0].type',
      message: expect.stringContaining('research models'),
    });
  });

  it('are the same request if it is repeated', async () => {
    const ask = () =>
      client.research(
        { research_question: QUESTION, documents: [COMET_PDF] },
        { 'idempotency-key': 'comet' },
      );
    const [first, again] = [await ask(), await ask()];
    expect(again.body.invocation_id).toBe(first.body.invocation_id);
    expect(await stand.requests()).toHaveLength(1);
  });

  it('that are refused leave the idempotency key to the mended request', async () => {
    const ask = (documents: object[]) =>
      client.research(
        { research_question: QUESTION, documents },
        { 'idempotency-key': 'mended' },
      );
    expect((await ask([LOCKED_PDF])).status).toBe(422);
    const [first, again] = [await ask([COMET_PDF]), await ask([COMET_PDF])];
    expect(first.body.status).toBe('completed');
    expect(again.body.invocation_id).toBe(first.body.invocation_id);
    expect((await ask([TIDES_DOCX])).body.code).toBe('idempotency_mismatch');
    expect(await stand.requests()).toHaveLength(1);
  });

  it('are not read for an estimate', async () => {
    const { body } = await client.post('/api/v1/tool-invocations/estimate', {
      tool_name: 'deep_research',
      arguments: { research_question: QUESTION, documents: [LOCKED_PDF] },
    });
    expect(body).toMatchObject({ tool_name: 'deep_research' });
  });

  it('stand in place of a text, not beside it', async () => {
    const reply = await client.research({
      research_question: QUESTION,
      documents: [{ ...COMET_PDF, text: 'a' }, { title: 'a' }],
    });
    expectProblem(reply, {
      status: 422,
      code: 'validation_failed',
      paths: ['arguments.documents.0.file_data', 'arguments.documents.1.text'],
    });
  });
});
