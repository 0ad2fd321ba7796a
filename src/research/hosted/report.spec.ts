import type { Response } from 'openai/resources/responses/responses';
import { readReport } from './report';

const response = (fields: object) => fields as unknown as Response;
const message = (text: string, annotations: object[] = [], phase?: string) => ({
  type: 'message',
  phase,
  content: [{ type: 'output_text', text, annotations }],
});
const citation = (url: string, start_index: number, end_index: number) => ({
  type: 'url_citation',
  url,
  title: 'T',
  start_index,
  end_index,
});

describe(readReport.name, () => {
  it('joins all messages but commentary, and moves offsets by code points', () => {
    const output = [
      message('thinking aloud', [], 'commentary'),
      message('🍜 one '),
      message('two [x]', [citation('https://sandbox.example/x', 4, 7)]),
    ];
    const { text, citations } = readReport(response({ output }));
    expect(text).toBe('🍜 one \n\ntwo [x]');
    const [{ start_index, end_index }] = citations;
    expect(Array.from(text).slice(start_index, end_index).join('')).toBe('[x]');
  });

  it('takes out the marks of models, and moves the citations of the text around them', () => {
    const marks = [
      '\ue200cite\ue202turn0search1\ue202turn0news2\ue201',
      'citeturn0search1turn2view0',
      '【4†source】',
      '【4:0†L10-L20】',
    ];
    for (const mark of marks) {
      const raw = `🍜 old ${mark}. And [x] new${mark}`;
      const at = (part: string) => Array.from(raw.split(part)[0]).length;
      const output = [
        message(raw, [
          citation('https://a.example/', at(mark), at(mark) + mark.length),
          citation('https://b.example/', at('[x]'), at('[x]') + 3),
        ]),
      ];
      const { text, citations } = readReport(response({ output }));
      expect(text).toBe('🍜 old. And [x] new');
      expect(
        citations.map(({ start_index, end_index }) =>
          Array.from(text).slice(start_index, end_index).join(''),
        ),
      ).toEqual(['d', '[x]']);
    }
  });

  it('drops a citation whose offsets lie outside the text', () => {
    const output = [
      message('short', [citation('https://sandbox.example/x', 3, 99)]),
    ];
    expect(readReport(response({ output })).citations).toEqual([]);
  });

  it('lists every page once, cited ones first, without the tracking mark', () => {
    const output = [
      {
        type: 'web_search_call',
        action: {
          type: 'search',
          sources: [{ url: 'https://a.example/?utm_source=openai' }],
        },
      },
      {
        type: 'web_search_call',
        action: {
          type: 'open_page',
          url: 'https://b.example/?p=1&utm_source=openai',
        },
      },
      { type: 'web_search_call' },
      message('cited', [citation('https://b.example/?p=1', 0, 5)]),
    ];
    expect(readReport(response({ output })).sources).toEqual([
      { url: 'https://b.example/?p=1', title: 'T' },
      { url: 'https://a.example/', title: '' },
    ]);
  });

  it('counts searches as calls, and tolerates usage that is missing or partial', () => {
    const search = { type: 'web_search_call', action: { type: 'search' } };
    const open = { type: 'web_search_call', action: { type: 'open_page' } };
    const usage = { input_tokens: 3, output_tokens: 4 };
    expect(
      readReport(response({ output: [search, open], usage })).usage,
    ).toEqual({
      input_tokens: 3,
      output_tokens: 4,
      total_tokens: 7,
      tool_calls: 1,
    });
    expect(readReport(response({ usage: null })).usage).toBeNull();
    for (const absurd of [-1, 1e308, '3', 0.5])
      expect(
        readReport(
          response({ usage: { ...usage, input_tokens: absurd as number } }),
        ).usage,
      ).toBeNull();
  });
});
