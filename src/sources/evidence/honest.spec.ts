import { bind } from './binding';

/** Sentences that a reader would accept as saying what their quote says: sentence, quote. */
const HONEST: Record<string, readonly [string, string][]> = {
  English: [
    [
      'SQLite was first released in August 2000.',
      'SQLite was first released on 17 August 2000 by D. Richard Hipp.',
    ],
    [
      'SQLite, written by D. Richard Hipp, was released in 2000.',
      'SQLite was first released on 17 August 2000 by D. Richard Hipp.',
    ],
    [
      'Revenue grew 12% to $4.2 billion in 2023.',
      'Revenue grew 12 percent in 2023, to $4.2 billion.',
    ],
    [
      'In 2023, revenue increased by 12% to 4.2 billion dollars.',
      'In 2023 revenue rose by 12 percent to $4.2 billion.',
    ],
    [
      'The company employs more than 3,000 people.',
      'The company now employs more than 3000 people in 14 countries.',
    ],
    [
      'It has over 3,000 employees in 14 countries.',
      'The company has more than 3000 employees in 14 countries.',
    ],
    [
      'Redis does not guarantee delivery of published messages.',
      'Redis Pub/Sub does not guarantee delivery: published messages are lost when no subscriber is connected.',
    ],
    [
      'Published messages are lost when no subscriber is connected.',
      'Redis Pub/Sub does not guarantee delivery: published messages are lost when no subscriber is connected.',
    ],
    [
      'The tower is 330 metres tall.',
      'The tower is 330 m tall, about the same height as an 81-storey building.',
    ],
    [
      'The Eiffel Tower was completed in March 1889.',
      'Construction of the Eiffel Tower was completed on 31 March 1889.',
    ],
    [
      'About 40% of the land is covered by forest.',
      'Forest covers 40% of the land.',
    ],
    [
      'Solar panels lose about 0.5% of their output every year.',
      'Solar panels lose about 0.5 percent of their output every year.',
    ],
    [
      'Webhooks may be delivered more than once.',
      'Events may be delivered more than once, so webhooks should be idempotent.',
    ],
    [
      'Kimchi fermentation is driven by lactic acid bacteria.',
      'The fermentation of kimchi is driven by lactic acid bacteria such as Leuconostoc.',
    ],
    [
      'A sourdough starter is a culture of wild yeast and lactic acid bacteria.',
      'A starter is a stable culture of wild yeast and lactic acid bacteria that makes sourdough rise.',
    ],
    [
      'Hangul was created in 1443 by King Sejong.',
      'King Sejong created Hangul in 1443, and it was proclaimed in 1446.',
    ],
    [
      'Hangul was proclaimed in 1446.',
      'King Sejong created Hangul in 1443, and it was proclaimed in 1446.',
    ],
    [
      'The reconnection time is given in milliseconds.',
      'The retry field gives the reconnection time in milliseconds.',
    ],
    [
      'Browsers reconnect automatically when the connection is lost.',
      'If the connection is lost, browsers reconnect automatically after a few seconds.',
    ],
    [
      'UNESCO listed the culture of Jeju haenyeo in 2016.',
      'In 2016 UNESCO listed the culture of Jeju haenyeo as intangible cultural heritage.',
    ],
    [
      'Temperatures could rise by 1.5 to 2 degrees Celsius.',
      'Temperatures could rise by 1.5–2 °C by 2050.',
    ],
    [
      'The population fell from 51.8 million to 51.6 million.',
      'The population fell from 51.8 million in 2020 to 51.6 million in 2022.',
    ],
    [
      'Two workers never process the same job.',
      'The lock makes sure that two workers never process the same job.',
    ],
    [
      'According to the report, exports fell 7.5% in the second quarter of 2023.',
      'Exports fell 7.5 percent in Q2 2023.',
    ],
    ['The journey takes 90 minutes.', 'The journey takes 1.5 hours by train.'],
    [
      'BTS debuted in 2013 under Big Hit Entertainment.',
      'BTS debuted on June 13, 2013 under Big Hit Entertainment.',
    ],
    [
      'Only administrators can delete a record.',
      'Only administrators can delete a record; others may read it.',
    ],
    [
      'Some users reported errors after the update.',
      'After the update, some users reported errors.',
    ],
  ],
  Korean: [
    [
      'SQLite는 2000년 8월에 처음 공개되었다.',
      'SQLite는 2000년 8월 17일 리처드 힙이 처음 공개했다.',
    ],
    [
      '짜장면은 중국 산둥 지방의 자장몐에서 비롯되었다.',
      '짜장면은 중국 산둥 지방의 가정식 면 요리인 자장몐(炸醬麵)에서 비롯되었습니다.',
    ],
    [
      '인천항은 1883년에 열렸다.',
      '1883년 인천항이 열리고 이듬해 청나라 조계가 들어섰습니다.',
    ],
    [
      '공화춘의 전신인 산동회관은 1900년대 초에 문을 열었다.',
      '공화춘의 전신인 산동회관은 1900년대 초에 문을 열었고, 1910년대에 공화춘이라는 이름을 쓰기 시작했습니다.',
    ],
    [
      '1948년 왕송산이 세운 영화장유는 사자표 춘장을 내놓았다.',
      '1948년 화교 왕송산이 세운 영화장유는 콩과 밀가루로 담근 장에 캐러멜을 넣어, 더 검고 달콤한 사자표 춘장을 내놓았습니다.',
    ],
    [
      '간짜장은 물과 전분을 넣지 않는다.',
      '간짜장은 물과 전분을 넣지 않고 그때그때 볶아 따로 내는 것을 가리킵니다.',
    ],
    [
      '한국전쟁 뒤 밀가루가 대량으로 들어왔다.',
      '한국전쟁 뒤 미국의 원조로 밀가루가 대량으로 들어왔고, 정부는 혼분식 장려 운동을 폈습니다.',
    ],
    [
      '2023년 매출은 12% 증가한 4조 2천억 원이었다.',
      '2023년 매출은 4조 2,000억원으로 12퍼센트 늘었다.',
    ],
    ['매출은 전년보다 12% 늘었다.', '매출이 전년보다 12% 증가했다.'],
    [
      '서울의 인구는 약 940만 명이다.',
      '서울의 인구는 약 9,400,000명으로 집계됐다.',
    ],
    ['직원은 3천 명이 넘는다.', '이 회사의 직원은 3,000명이 넘는다.'],
    [
      '훈민정음은 1446년에 반포되었다.',
      '세종은 1443년에 훈민정음을 창제했고, 훈민정음은 1446년에 반포되었다.',
    ],
    [
      '세종은 1443년에 훈민정음을 창제했다.',
      '세종은 1443년에 훈민정음을 창제했고, 훈민정음은 1446년에 반포되었다.',
    ],
    [
      '제주 해녀 문화는 2016년 유네스코 인류무형문화유산에 올랐다.',
      '제주 해녀 문화는 2016년 11월 유네스코 인류무형문화유산에 등재되었다.',
    ],
    [
      '김치의 발효는 젖산균이 이끈다.',
      '김치의 발효는 류코노스톡 같은 젖산균이 이끈다.',
    ],
    [
      '전체의 30%는 수입산인 것으로 추정된다.',
      '전체의 30%가 수입산으로 추정된다.',
    ],
    [
      '이 약은 임신부에게 사용할 수 없다.',
      '이 약은 임신부에게는 사용할 수 없다.',
    ],
    [
      '웹훅은 두 번 이상 전달될 수 있다.',
      '웹훅은 2번 이상 전달될 수 있으므로 멱등해야 한다.',
    ],
    [
      '수출은 2024년 2분기에 7.5% 감소했다.',
      '2024년 2분기 수출은 7.5% 줄었다.',
    ],
    [
      '기온은 1.5~2도 오를 것으로 예상된다.',
      '2050년까지 기온은 1.5∼2도 오를 것으로 전망된다.',
    ],
    [
      '환율은 1달러에 1,300원을 넘었다.',
      '이날 환율은 1달러에 1300원을 넘었다.',
    ],
  ],
  'Korean on English': [
    [
      'SQLite는 2000년에 처음 공개되었다.',
      'SQLite was first released in August 2000.',
    ],
    [
      'BTS는 2013년 6월 Big Hit Entertainment에서 데뷔했다.',
      'BTS debuted on June 13, 2013 under Big Hit Entertainment.',
    ],
    [
      'Redis는 메시지 전달을 보장하지 않는다.',
      'Redis Pub/Sub does not guarantee delivery.',
    ],
    [
      'UNESCO는 2016년 제주 해녀 문화를 등재했다.',
      'In 2016 UNESCO listed the culture of Jeju haenyeo.',
    ],
    ['Apple의 매출은 12% 증가했다.', 'Revenue of Apple grew 12 percent.'],
  ],
};
/** The share of each table that is matched, at least; the rest is called `unsupported` or `derived`, never wrong. */
const FLOORS: Record<string, number> = {
  English: 0.8,
  Korean: 0.8,
  'Korean on English': 0.8,
};

describe.each(Object.entries(HONEST))('honest sentences: %s', (name, pairs) => {
  const verdicts = pairs.map(([sentence, quote]) => ({
    sentence,
    ...bind(sentence, [{ id: 'n1', claim: sentence, quote }]),
  }));

  it(`are matched in at least ${FLOORS[name]}`, () => {
    const missed = verdicts.filter(
      ({ verdict }) => verdict !== 'quote_matched',
    );
    expect(1 - missed.length / pairs.length).toBeGreaterThanOrEqual(
      FLOORS[name],
    );
  });

  it('are never called different', () => {
    const accused = verdicts.filter(({ verdict }) =>
      verdict.endsWith('_differs'),
    );
    expect(
      accused.map(({ sentence, detail }) => `${sentence} ${detail}`),
    ).toEqual([]);
  });
});
