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
