import type {
  Response,
  ResponseOutputText,
} from 'openai/resources/responses/responses';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { sandboxUnderTest, webSearch } from './testing/sandbox-under-test';

const textPart = (response: Response): ResponseOutputText => {
  const message = response.output.at(-1);
  if (message?.type !== 'message')
    throw new Error('The last item is no message.');
  const [part] = message.content;
  if (part.type !== 'output_text') throw new Error('The message has no text.');
  return part;
};

const actions = (response: Response) =>
  response.output.flatMap((item) =>
    item.type === 'web_search_call' ? [item.action.type] : [],
  );

describe('a research run', () => {
  let s: SandboxUnderTest;
  beforeAll(
    async () =>
      (s = await sandboxUnderTest({ strictItems: false, researchMs: 5 })),
  );
  afterAll(() => s.close());

  const ask = (input: string, more: Record<string, unknown> = {}) =>
    s.client.responses.create({
      model: 'gpt-5.5',
      input,
      tools: webSearch,
      ...more,
      stream: false,
    }) as Promise<Response>;

  it.each(['짜장면의 역사를 자세히 알려줘', 'The history of jajangmyeon 🍜'])(
    'cites the inline links of "%s" by code points',
    async (question) => {
      const { text, annotations } = textPart(await ask(question));
      const points = Array.from(text);
      expect(annotations.length).toBeGreaterThan(0);
      for (const a of annotations) {
        if (a.type !== 'url_citation') throw new Error(a.type);
        expect(points.slice(a.start_index, a.end_index).join('')).toBe(
          `([${a.title}](${a.url}))`,
        );
      }
    },
  );

  it('cites correctly after characters outside the basic plane', async () => {
    const { text, annotations } = textPart(await ask('😀😀 김치 이야기 😀'));
    const [a] = annotations;
    if (a.type !== 'url_citation') throw new Error(a.type);
    expect(text.slice(0, 10)).toContain('😀');
    expect(
      Array.from(text).slice(a.start_index, a.end_index).join(''),
    ).toContain(a.url);
  });

  it('searches, opens a page and finds in it before it writes', async () => {
    const response = await ask('한글의 역사');
    expect(actions(response)).toEqual(
      expect.arrayContaining(['search', 'open_page', 'find_in_page']),
    );
  });

  it('returns the sources of a search only on request', async () => {
    const without = await ask('kimchi');
    const with_ = await ask('kimchi', {
      include: ['web_search_call.action.sources'],
    });
    expect(JSON.stringify(without.output)).not.toContain('"sources"');
    expect(JSON.stringify(with_.output)).toContain('"sources"');
  });

  it('summarises its reasoning only on request', async () => {
    const summaries = (r: Response) =>
      r.output.flatMap((i) => (i.type === 'reasoning' ? i.summary : []));
    expect(summaries(await ask('kimchi'))).toEqual([]);
    expect(
      summaries(await ask('kimchi', { reasoning: { summary: 'auto' } })).length,
    ).toBeGreaterThan(1);
  });

  it('reports that it has no sources, without citations', async () => {
    const response = await ask('Quarterly revenue of Acme Widgets');
    const { text, annotations } = textPart(response);
    expect(text).toContain('The bundled corpus has nothing on this question.');
    expect(annotations).toEqual([]);
    expect(new Set(actions(response))).toEqual(new Set(['search']));
  });

  it('answers a Korean question in English when the instructions say so', async () => {
    const { text } = textPart(
      await ask('짜장면의 역사', {
        instructions: 'Always answer in English only.',
      }),
    );
    expect(text).toContain('Shandong');
    expect(text).not.toMatch(/[가-힣]/);
  });

  it.each([
    ['Answer in exactly two sentences.', 'the history of kimchi'],
    ['쉬운 말로 2문장으로만 답하세요.', '짜장면의 역사를 알려줘'],
  ])('keeps to two sentences for "%s"', async (instructions, question) => {
    const { text } = textPart(await ask(question, { instructions }));
    expect(text.split(/(?<=[.!?])\s+/)).toHaveLength(2);
    expect(text).toMatch(/^\[(sandbox|샌드박스)\]/);
  });

  it('quotes supplied documents by title, without a link', async () => {
    const { text, annotations } = textPart(
      await ask(
        'What is the launch date?\n<document title="Plan &amp; dates">The launch is on 3 May &lt;fixed&gt;.</document>',
      ),
    );
    expect(text).toContain('The launch is on 3 May <fixed>. (Plan & dates)');
    expect(annotations).toEqual([]);
  });

  it('omits links where citations are disabled', async () => {
    const { text, annotations } = textPart(
      await ask('kimchi\nCitations: not wanted'),
    );
    expect(text).not.toContain('](');
    expect(annotations).toEqual([]);
  });

  it('writes a longer report with sections when that is the deliverable', async () => {
    const brief = textPart(await ask('짜장면의 역사'));
    const report = textPart(
      await ask('짜장면의 역사\nDeliverable format: markdown_report'),
    );
    expect(report.text.match(/^## /gm)?.length).toBe(5);
    expect(report.text.length).toBeGreaterThan(2 * brief.text.length);
  });

  it.each([
    [{ input: 'kimchi\nDeliverable format: json_outline' }],
    [{ input: 'kimchi as JSON', text: { format: { type: 'json_object' } } }],
  ])('writes a JSON outline for %j', async ({ input, ...more }) => {
    const outline = JSON.parse((await ask(input, more)).output_text) as {
      title: string;
      sections: unknown[];
      note: string;
    };
    expect(outline.sections.length).toBeGreaterThan(0);
    expect(outline.note).toMatch(/sandbox/i);
  });

  it('fills the given schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        summary: { type: 'string' },
        facts: { type: 'array', minItems: 1, items: { type: 'string' } },
        confidence: { type: 'string', enum: ['low', 'high'] },
        year: { type: ['integer', 'null'] },
      },
      required: ['summary', 'facts', 'confidence', 'year'],
      additionalProperties: false,
    };
    const response = await ask('kimchi', {
      text: {
        format: { type: 'json_schema', name: 'facts', strict: true, schema },
      },
    });
    expect(JSON.parse(response.output_text)).toEqual({
      summary: expect.stringContaining('kimchi'),
      facts: [expect.stringMatching(/\w/), expect.stringMatching(/\w/)],
      confidence: 'low',
      year: expect.any(Number),
    });
  });

  it('ends incomplete at the token limit', async () => {
    const response = await ask('짜장면의 역사', { max_output_tokens: 50 });
    expect(response.status).toBe('incomplete');
    expect(response.incomplete_details?.reason).toBe('max_output_tokens');
    expect(response.output_text.length).toBeGreaterThan(0);
  });

  it('writes from supplied documents and memory where it cannot search', async () => {
    const response = await ask('kimchi\nDeliverable format: markdown_brief', {
      tools: [],
    });
    expect(actions(response)).toEqual([]);
    expect(response.output_text).toContain('# kimchi');
  });
});
