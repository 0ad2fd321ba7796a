import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../support/client';
import { docx, encryptedPdf, paragraph, pdf } from '../../support/pages/files';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const COMET = 'The comet of 1682 was seen over the mountains in spring.';
const TIDES = 'The tides of the bay are fourteen metres high in autumn.';

describe('the documents of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-documents-'));
  let stand: Stand;
  let client: Client;

  const put = (name: string, bytes: Buffer): void =>
    writeFileSync(join(folder, name), bytes);

  beforeAll(async () => {
    put('comet.pdf', pdf(3, { show: (at) => `(Page ${at}. ${COMET})` }));
    put('tides.docx', docx(paragraph(TIDES)));
    put('locked.pdf', encryptedPdf());
    stand = await Stand.start({
      env: {
        RELAY_DOCUMENTS_DIR: folder,
        RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      },
    });
    client = stand.client();
  });
  afterAll(async () => {
    await stand.stop();
    rmSync(folder, { recursive: true });
  });

  const search = async (query: string): Promise<string> => {
    const { body } = await client.post('/api/v1/tool-invocations', {
      tool_name: 'search_documents',
      arguments: { query },
    });
    return JSON.stringify(body.contents);
  };

  it('are searched in PDF and in DOCX', async () => {
    expect(await search('comet')).toContain(COMET);
    expect(await search('tides of the bay')).toContain(TIDES);
  });

  it('are read by the agent as a private source', async () => {
    const { body } = await client.research({
      research_question: 'When was the comet of 1682 seen?',
      engine: 'agent',
      data_sources: 'private',
    });
    expect(body).toMatchObject({ status: 'completed' });
    expect(body.sources).toContainEqual(
      expect.objectContaining({ url: 'document:comet.pdf' }),
    );
    expect(body.output_text).toContain('seen over the mountains in spring');
  });

  it('that cannot be read are named once, with what to do, by those who search', async () => {
    const named = (): number =>
      [...stand.workers, ...stand.apis]
        .flatMap(({ output }) => output.split('\n'))
        .filter((line) => line.includes('locked.pdf has a password')).length;
    await until('the file to be named', (saw) => saw(named()) > 0);
    expect(named()).toBe(1);
  });
});
