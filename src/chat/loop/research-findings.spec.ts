import type { CompletedToolCall } from '../turns/tool-call';
import { sourceList } from '../../report/source-list';
import { codePoints } from '../../platform/message/citation';
import { foundBy, joined, reportsOf } from './research-findings';

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

describe(joined.name, () => {
  /** A report on so many sources, each sentence of which cites one. */
  const report = (name: string, count: number): CompletedToolCall => {
    let text = `# 🥬 ${name} \\[1\\]`;
    const citations = [...Array(count).keys()].map((at) => {
      const page = `${name}-${at + 1}`;
      const sentence_start = codePoints(`${text}\n\n`);
      text += `\n\nFrom ${page}.`;
      const sentence_end = codePoints(text);
      const start_index = codePoints(`${text} `);
      text += ` [${at + 1}]`;
      const range = { start_index, end_index: codePoints(text) };
      return { ...source(page), ...range, sentence_start, sentence_end };
    });
    const listed = citations.map(({ url, title }, at) => ({
      number: at + 1,
      title,
      about: [],
      // The last one is a private file.
      ...(at < count - 1 && { target: url }),
    }));
    text += `\n\n${sourceList(listed, 'en')}`;
    return { ...research(name, text, name), citations };
  };

  it('goes on with the numbers of the report before, so that each mark means its own source', () => {
    const { text, citations } = joined([
      report('a', 6),
      report('b', 7),
      report('c', 2),
    ]);
    const points = Array.from(text);
    const marks = citations.map(({ start_index, end_index }) =>
      points.slice(start_index, end_index).join(''),
    );
    expect(marks).toEqual(Array.from({ length: 15 }, (_, at) => `[${at + 1}]`));
    citations.forEach(({ title, url, sentence_start, sentence_end }, at) => {
      const sentence = points.slice(sentence_start, sentence_end).join('');
      expect(sentence).toBe(`From ${title}.`);
      expect(text).toContain(`\n- [${at + 1}] ${title}\n`.trimEnd());
      const isPrivate = /^(?:a-6|b-7|c-2)$/.test(title);
      expect(text.includes(`\n[${at + 1}]: ${url}`)).toBe(!isPrivate);
    });
    const defined = [...text.matchAll(/^\[(\d+)\]: /gm)].map(([, n]) => n);
    expect(new Set(defined).size).toBe(defined.length);
  });

  it('leaves what is no mark of a source as it is', () => {
    const bare = research('inv_3', 'As in [1] and `a[1]`.', 'bare');
    const { text } = joined([report('a', 2), bare, report('b', 1)]);
    expect(text).toContain('\n\nAs in [1] and `a[1]`.\n\n');
    expect(text).toContain('🥬 b \\[1\\]');
    expect(text).toContain('From b-1. [3]');
  });
});
