import type { Article } from './article';

const keywords =
  'sourdough bread starter leaven 사워도우 천연발효빵 발효종 르방 빵';

export const sourdough: Article[] = [
  {
    topic: 'sourdough',
    lang: 'ko',
    url: 'https://sandbox.example/ko/sourdough',
    title: '사워도우: 야생 효모로 만드는 빵',
    keywords,
    paragraphs: [
      '사워도우는 밀가루와 물에 저절로 자란 야생 효모와 젖산균으로 부풀리는 빵입니다. 이 반죽을 발효종 또는 르방이라 하고, 밀가루와 물을 거듭 먹여 기릅니다.',
      '효모는 이산화탄소를 내어 빵을 부풀리고, 젖산균은 젖산과 초산을 내어 신맛을 내며 곰팡이를 늦춥니다. 낮은 온도에서 오래 발효하면 초산이 많아져 맛이 더 날카로워집니다.',
      '상업용 효모가 나온 19세기 전까지 부푼 빵은 대개 이런 방식으로 만들었습니다.',
    ],
  },
  {
    topic: 'sourdough',
    lang: 'en',
    url: 'https://sandbox.example/en/sourdough',
    title: 'Sourdough: bread from wild yeast',
    keywords,
    paragraphs: [
      'Sourdough is leavened by wild yeasts and lactic acid bacteria that settle in flour and water. The culture, called a starter or leaven, lives on regular feedings of both.',
      'The yeasts give off the carbon dioxide that raises the bread; the bacteria make lactic and acetic acid, which give the sour taste and slow down mould. A long, cool fermentation brings more acetic acid and a sharper taste.',
      'Until commercial yeast appeared in the nineteenth century most raised bread was made in this way.',
    ],
  },
];
