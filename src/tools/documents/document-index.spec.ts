import fc from 'fast-check';
import type { Document } from '../../platform/message/document';
import { DocumentIndex } from './document-index';

const english: Document[] = [
  {
    title: 'Redis persistence',
    text: 'An append-only file logs every write. Snapshots are written now and then.',
  },
  {
    title: 'Job queues',
    text: 'BullMQ keeps its jobs in Redis. A worker locks a job and renews the lock until the job is done.',
  },
  {
    title: 'Solar panels',
    text: 'A photovoltaic cell turns light into electricity. Panels age slowly and are cleaned by the rain.',
  },
  {
    title: 'Sourdough',
    text: 'A starter of flour and water ferments with wild yeast. The dough rests overnight and is baked hot.',
  },
];

const korean: Document[] = [
  {
    title: '짜장면의 기원',
    text: '짜장면은 인천 차이나타운에서 비롯되었습니다. 춘장을 볶아 국수에 얹습니다.',
  },
  {
    title: '영화 촬영',
    text: '감독은 그 장면을 다시 찍자고 했습니다. 배우들의 역량이 화면에 드러납니다.',
  },
  {
    title: '벼농사',
    text: '쌀은 가을에 거둡니다. 쌀값은 해마다 다르고, 농부들은 걱정이 많습니다.',
  },
  {
    title: '도서관',
    text: '책장은 2층에, 회의실은 3층에 있습니다.',
  },
  {
    title: 'Redis 클러스터 운영',
    text: '레디스클러스터는 슬롯 16384개로 키를 나눕니다. 노드가 죽으면 복제본이 맡습니다.',
  },
];

async function searching(
  documents: readonly Document[],
  query: string,
): Promise<string[]> {
  const index = new DocumentIndex();
  for (const document of documents) await index.add(document);
  return index.search(query).map((hit) => hit.document.title);
}

describe(DocumentIndex.name, () => {
  it.each([
    ['redis', 'Redis persistence'],
    ['how does a worker lock its job', 'Job queues'],
    ['photovoltaic', 'Solar panels'],
    ['photo', 'Solar panels'],
    ['ELECTRICITY from lights', 'Solar panels'],
    ['fermenting doughs', 'Sourdough'],
    ['electrisity', 'Solar panels'],
    ['snapshot', 'Redis persistence'],
  ])('finds for "%s" first: %s', async (query, title) => {
    expect((await searching(english, query))[0]).toBe(title);
  });

  it.each([
    ['짜장면의 역사', '짜장면의 기원'],
    ['차이나타운', '짜장면의 기원'],
    ['국수에는 무엇을 얹나요', '짜장면의 기원'],
    ['쌀', '벼농사'],
    ['쌀의 가격', '벼농사'],
    ['책', '도서관'],
    ['회의', '도서관'],
    ['영화의 장면', '영화 촬영'],
    ['Redis 클러스터', 'Redis 클러스터 운영'],
    ['레디스 클러스터 복제', 'Redis 클러스터 운영'],
    ['클러스터에서', 'Redis 클러스터 운영'],
  ])('finds for "%s" first: %s', async (query, title) => {
    expect((await searching([...korean, ...english], query))[0]).toBe(title);
  });

  it.each([
    'medieval castles',
    '고려청자',
    'the of and with',
    '그리고 무엇에 대해 알려줘',
    '2024',
    '?!',
  ])('finds nothing for "%s"', async (query) => {
    expect(await searching([...korean, ...english], query)).toEqual([]);
  });

  it('excludes documents that share only a common word with the query', async () => {
    const noise = Array.from({ length: 30 }, (_, i) => ({
      title: `Note ${i}`,
      text: `Our water bill of month ${i} was paid, and then nothing else happened.`,
    }));
    const documents = [...english, ...noise];
    const query = 'flour and water for a wild yeast starter';
    expect(await searching(documents, query)).toEqual(['Sourdough']);
  });

  it('prefers a word in the title to one in the text', async () => {
    const documents = [
      { title: 'Bread', text: 'Butter goes well with it.' },
      { title: 'Butter', text: 'Cream is churned until it sets.' },
    ];
    expect(await searching(documents, 'butter')).toEqual(['Butter', 'Bread']);
  });

  it('finds the passage of a long document', async () => {
    const index = new DocumentIndex();
    const filler = 'Nothing of note happened in this year. '.repeat(30);
    const text = `${filler}\n\n${filler}\n\nThe comet was seen.\n\n${filler}`;
    const document = await index.add({ title: 'Chronicle', text });
    const [hit] = index.search('comet');
    expect(hit).toMatchObject({ document, score: 1 });
    expect(document.passages[hit.part]).toContain('The comet was seen.');
  });

  it('never finds a removed document', async () => {
    const index = new DocumentIndex();
    const document = await index.add(english[0]);
    await index.add(english[1]);
    index.remove(document);
    expect(index.search('persistence')).toEqual([]);
    const [hit, ...others] = index.search('redis');
    expect(hit).toMatchObject({ document: { title: 'Job queues' }, score: 1 });
    expect(others).toEqual([]);
  });

  it('stops indexing when the signal aborts', async () => {
    const aborted = AbortSignal.abort();
    const adding = new DocumentIndex().add(english[0], { signal: aborted });
    await expect(adding).rejects.toThrow('abort');
  });

  it('never throws for any query and document', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (title, body, query) => {
        const found = await searching([{ title, text: body }], query);
        expect(found.every((name) => name === title)).toBe(true);
      }),
    );
  });

  it('finds no document by the property names of objects', async () => {
    const query = 'constructor toString __proto__ hasOwnProperty';
    expect(await searching(english, query)).toEqual([]);
    expect(
      await searching([{ title: 'Objects', text: query }], '__proto__'),
    ).toEqual(['Objects']);
  });
});
