import {
  addGrounding,
  type Grounding,
  readGrounding,
} from './completions-citations';

/** Shapes as the documentation of each provider has them. */
const A = { title: 'Page A', url: 'https://a.example/x' };
const B = { title: 'Page B', url: 'https://b.example/y' };

const read = (text: string, ...frames: object[]) => {
  const sum = frames.reduce<Grounding>(addGrounding, {});
  const { citations, sources } = readGrounding(sum, text);
  const points = Array.from(text);
  return {
    cited: citations.map(({ url, title, start_index, end_index }) => [
      points.slice(start_index, end_index).join(''),
      url,
      title,
    ]),
    sources,
  };
};

describe(readGrounding.name, () => {
  it('resolves the marks of Perplexity by its list of addresses, with the titles of its results', () => {
    const text = '🍜 짜장면은 인천에서 왔다.[1][2] 아직도 그렇다.[2][9]';
    const frame = {
      choices: [{ delta: { content: text } }],
      citations: [A.url, B.url],
      search_results: [
        { ...B, date: '2025-03-01' },
        { ...A, date: null },
      ],
    };
    expect(read(text, frame, frame)).toEqual({
      cited: [
        ['[1]', A.url, A.title],
        ['[2]', B.url, B.title],
        ['[2]', B.url, B.title],
      ],
      sources: [A, B, B, A],
    });
  });

  it('resolves the marks of Perplexity by its results if there are no addresses', () => {
    const { cited } = read('So.[2]', { search_results: [A, B] });
    expect(cited).toEqual([['[2]', B.url, B.title]]);
  });

  it('reads nested annotations of a message and of deltas, each once', () => {
    const text = '🍜 Noodles (a.example).';
    const annotation = {
      type: 'url_citation',
      url_citation: { start_index: 10, end_index: 21, ...A },
    };
    const annotations = [annotation];
    const expected = [['(a.example)', A.url, A.title]];
    for (const frames of [
      [{ choices: [{ message: { content: text, annotations } }] }],
      [
        { choices: [{ delta: { annotations } }] },
        { choices: [{ delta: { annotations } }] },
      ],
    ])
      expect(read(text, ...frames).cited).toEqual(expected);
  });

  const chunks = [
    { web: { uri: A.url, title: A.title } },
    { web: { uri: B.url, title: B.title } },
  ];
  const gemini = (text: string, segment: string, broken = {}) => {
    const startIndex = Buffer.byteLength(text.slice(0, text.indexOf(segment)));
    const endIndex = startIndex + Buffer.byteLength(segment);
    return {
      webSearchQueries: ['noodles'],
      groundingChunks: chunks,
      groundingSupports: [
        {
          segment: { startIndex, endIndex, text: segment, ...broken },
          groundingChunkIndices: [0, 1, 7],
        },
      ],
    };
  };

  it.each([
    ['vertex_ai_grounding_metadata', true],
    ['groundingMetadata', false],
    ['grounding_metadata', true],
  ])(
    'reads the segments of Gemini in %s, which count bytes',
    (name, listed) => {
      const text = '🍜 짜장면은 맛있다. 그리고 싸다.';
      const meta = gemini(text, '그리고 싸다.');
      const annotations = [
        {
          type: 'url_citation',
          url_citation: { start_index: 0, end_index: 3, ...A },
        },
      ];
      expect(
        read(text, {
          [name]: listed ? [meta] : meta,
          choices: [{ message: { annotations } }],
        }),
      ).toEqual({
        cited: [
          ['그리고 싸다.', A.url, A.title],
          ['그리고 싸다.', B.url, B.title],
        ],
        sources: [A, B],
      });
    },
  );

  it.each([
    { endIndex: 10_000 },
    { startIndex: -1 },
    { startIndex: 1 },
    { endIndex: null },
    { text: 'another text' },
  ])('leaves out a segment of another text: %j', (broken) => {
    const text = '🍜 짜장면.';
    const { cited } = read(text, {
      groundingMetadata: gemini(text, '짜장면', broken),
    });
    expect(cited).toEqual([]);
  });

  it('resolves the marks of Azure, except files without an address', () => {
    const text = 'One [doc1], two [doc2].';
    const context = {
      citations: [
        { ...A, content: 'x', filepath: null, chunk_id: '0' },
        { content: 'x', title: 'f', url: null, filepath: 'f.md' },
      ],
    };
    expect(read(text, { choices: [{ message: { context } }] })).toEqual({
      cited: [['[doc1]', A.url, A.title]],
      sources: [A],
    });
  });

  it('cites no address that a browser would execute', () => {
    const text = 'So.[1][2]';
    expect(
      read(text, { citations: ['javascript:alert(1)', 'data:text/html,x'] }),
    ).toEqual({ cited: [], sources: [] });
  });

  it.each([
    { citations: 'x' },
    { citations: [null, 7, {}] },
    { search_results: { url: 'x' } },
    { choices: [{ message: { annotations: [null, { url_citation: 3 }] } }] },
    { choices: [{ message: { context: { citations: {} } } }] },
    { groundingMetadata: { groundingSupports: [{}], groundingChunks: [7] } },
    { groundingMetadata: [null, { groundingSupports: 'x' }] },
  ])('cites nothing of what it cannot read: %j', (frame) => {
    expect(read('So.[1] [doc1]', frame)).toEqual({ cited: [], sources: [] });
  });
});
