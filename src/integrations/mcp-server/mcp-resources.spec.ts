import type { CallerIdentity } from '../../platform/auth/caller';
import { toRecord } from '../../runs/record/run-record';
import type { CallerRunsListing } from '../../runs/submit/caller-runs-listing';
import type { McpChat } from './mcp-chat';
import { McpResources } from './mcp-resources';
import { uriOf } from './resource-uri';
import type { RunAccess } from './run-access';

const ID = 'inv_019a0000000070008000000000000001';
const TEXT = '# 김치\n\nKimchi is old.';
const CITED = { url: 'https://a.example/', title: 'A', start_index: 6 };

async function read(status: string, text = TEXT) {
  const citations = [{ ...CITED, end_index: 12 }];
  const record = toRecord(
    ID,
    {
      tool: 'deep_research',
      mode: 'background',
      status,
      created_ms: '1',
      citations: JSON.stringify(citations),
      ...(status === 'incomplete' && {
        error_code: 'research_limit_reached',
        error_message: 'The limit max_tokens was reached.',
      }),
    },
    text,
  );
  const access = { open: () => Promise.resolve(record) };
  const resources = new McpResources(
    access as unknown as RunAccess,
    undefined as unknown as CallerRunsListing,
    undefined as unknown as McpChat,
  );
  const textOf = async (kind: 'report' | 'sources') => {
    const caller = { name: 'alice' } as CallerIdentity;
    const { contents } = await resources.read(uriOf(ID, kind), caller);
    return (contents[0] as { text: string }).text;
  };
  const { citations: shown } = JSON.parse(await textOf('sources')) as {
    citations: { start_index: number; end_index: number }[];
  };
  const report = await textOf('report');
  const [{ start_index, end_index }] = shown;
  const cited = Array.from(report).slice(start_index, end_index).join('');
  return { report, cited };
}

describe(McpResources.name, () => {
  it('has the report of a run as it is, and of one that ended early why it did, with citations at their places', async () => {
    expect(await read('completed')).toEqual({ report: TEXT, cited: 'Kimchi' });
    expect(await read('incomplete')).toEqual({
      report: `[This ended early: The limit max_tokens was reached.]\n\n${TEXT}`,
      cited: 'Kimchi',
    });
  });

  it('keeps JSON as it is', async () => {
    const json = '{"title": "Kimchi"}';
    expect(await read('incomplete', json)).toMatchObject({ report: json });
  });
});
