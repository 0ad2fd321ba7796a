import type { Article } from './article';

const keywords =
  '김치 김장 배추김치 젖산 발효 Kimchi Gimjang kimjang fermentation cabbage';

export const kimchi: Article[] = [
  {
    topic: 'kimchi',
    lang: 'ko',
    url: 'https://sandbox.example/ko/kimchi',
    title: '김치와 김장',
    keywords,
    paragraphs: [
      '김치는 소금에 절인 채소를 고춧가루, 마늘, 생강, 젓갈로 버무려 발효시킨 음식입니다. 배추김치, 깍두기, 동치미처럼 재료와 지역에 따라 수백 가지가 있습니다.',
      '김치는 젖산균이 발효시킵니다. 소금과 낮은 온도가 다른 균을 누르는 사이에 젖산균이 산을 만들어 맛을 내고 오래 두게 합니다.',
      '고추는 16세기 말 임진왜란 무렵에 한반도에 들어왔고, 지금처럼 붉은 김치는 그 뒤에 퍼졌습니다. 속이 찬 배추로 담그는 김치는 19세기 말 이후에 널리 자리 잡았습니다.',
      '늦가을에 온 가족과 이웃이 모여 겨울에 먹을 김치를 담그는 김장 문화는 2013년 유네스코 인류무형문화유산에 올랐습니다.',
    ],
  },
  {
    topic: 'kimchi',
    lang: 'en',
    url: 'https://sandbox.example/en/kimchi',
    title: 'Kimchi and the making of it together',
    keywords,
    paragraphs: [
      'Kimchi is salted vegetables fermented with chilli, garlic, ginger and salted seafood. There are hundreds of kinds, by vegetable and by region.',
      'Lactic acid bacteria do the work: while salt and cold hold other microbes back, they make the acid that gives kimchi its taste and keeps it.',
      'Chilli reached Korea around the end of the sixteenth century, and red kimchi spread after that. Kimchi of full-headed napa cabbage became the common form only from the late nineteenth century.',
      'Gimjang, the late autumn days on which families and neighbours make the kimchi of the winter, entered the UNESCO list of intangible heritage in 2013.',
    ],
  },
];
