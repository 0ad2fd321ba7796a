import type { Article } from './article';

const keywords = 'BTS 방탄소년단 방탄 아미 하이브 빅히트 K-pop kpop 케이팝';

export const bts: Article[] = [
  {
    topic: 'bts',
    lang: 'ko',
    url: 'https://sandbox.example/ko/bts',
    title: 'BTS의 역사와 성공 요인',
    keywords,
    paragraphs: [
      'BTS(방탄소년단)는 2013년 6월 빅히트 엔터테인먼트에서 데뷔한 일곱 명의 그룹입니다. RM, 진, 슈가, 제이홉, 지민, 뷔, 정국이 구성원입니다.',
      '2018년 「LOVE YOURSELF 轉 Tear」로 한국 가수로는 처음 빌보드 200 1위에 올랐고, 2020년 「Dynamite」로 빌보드 핫 100 1위에 올랐습니다.',
      '성공 요인으로는 구성원이 작사와 작곡에 참여해 또래의 고민을 담은 점, 소셜 미디어로 팬과 곧바로 이야기한 점, 그리고 팬덤 아미의 조직적인 응원이 자주 꼽힙니다.',
      '2022년 6월 단체 활동을 잠시 쉬겠다고 알린 뒤 구성원들은 솔로 활동과 병역을 이어 갔고, 2025년 6월까지 모두 복무를 마쳤습니다.',
    ],
  },
  {
    topic: 'bts',
    lang: 'en',
    url: 'https://sandbox.example/en/bts',
    title: 'BTS: history and reasons for success',
    keywords,
    paragraphs: [
      'BTS made their debut in June 2013 with Big Hit Entertainment. The seven members are RM, Jin, Suga, J-Hope, Jimin, V and Jung Kook.',
      'In 2018 "Love Yourself: Tear" was the first album by a Korean act to lead the Billboard 200, and in 2020 "Dynamite" reached number one of the Hot 100.',
      'Reasons often given for their success are that the members write about the worries of their own generation, that they talk to fans directly on social media, and that the fandom ARMY organises its support.',
      'In June 2022 they announced a pause as a group; solo work and military service followed, and by June 2025 all members had completed their service.',
    ],
  },
];
