import type { CompletedToolCall } from '../turns/tool-call';
import { foundBy, reportsOf } from './research-findings';

const source = (name: string) => ({ url: `https://${name}/`, title: name });
const citation = (name: string, start_index: number, end_index: number) => ({
  ...source(name),
  start_index,
  end_index,
});
const research = (
  id: string,
  report: string,
  name: string,
): CompletedToolCall => ({
  callId: id,
  toolName: 'deep_research',
  arguments: {},
  outcome: 'reported',
  output: [],
  report,
  invocation: { id, token: '', status: 'completed' },
  citations: [citation(name, 0, 1)],
  sources: [source(name), source('common')],
});
const KIMCHI = research('inv_1', '김치 🥬', 'kimchi');
const GIMBAP = research('inv_2', 'Gimbap', 'gimbap');

describe(foundBy.name, () => {
  it('shifts the citations of each report to their positions in the summary', () => {
    const { citations, sources } = foundBy([KIMCHI, GIMBAP], null);
    const summary = Array.from('김치 🥬\n\nGimbap');
    expect(citations).toEqual([
      citation('kimchi', 0, 1),
      citation('gimbap', 6, 7),
    ]);
    expect(summary.slice(6, 7)).toEqual(['G']);
    expect(sources).toEqual(['kimchi', 'common', 'gimbap'].map(source));
  });

  it('counts a run that two calls share once', () => {
    const again = { ...KIMCHI, callId: 'other' };
    expect(reportsOf([KIMCHI, again, GIMBAP])).toEqual([KIMCHI, GIMBAP]);
    expect(foundBy([KIMCHI, again], null).citations).toHaveLength(1);
  });

  it('cites the answer only if there is no report, and lists the sources of both', () => {
    const answer = {
      citations: [citation('web', 2, 3)],
      sources: [source('web')],
    };
    expect(foundBy([], answer)).toEqual(answer);
    expect(foundBy([KIMCHI], answer)).toEqual({
      citations: [citation('kimchi', 0, 1)],
      sources: ['kimchi', 'common', 'web'].map(source),
    });
  });

  it('is null without sources', () => {
    expect(foundBy([], null)).toEqual({ citations: null, sources: null });
    const bare = { ...KIMCHI, citations: undefined, sources: undefined };
    expect(foundBy([bare], {})).toEqual({ citations: null, sources: null });
  });
});
