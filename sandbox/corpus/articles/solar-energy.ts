import type { Article } from './article';

const keywords =
  'solar energy photovoltaic photovoltaics panel cell 태양광 태양 에너지 태양전지 발전 재생에너지';

export const solarEnergy: Article[] = [
  {
    topic: 'solar-energy',
    lang: 'ko',
    url: 'https://sandbox.example/ko/solar-energy',
    title: '태양광 발전의 원리와 확산',
    keywords,
    paragraphs: [
      '태양전지는 빛이 반도체의 전자를 움직이게 하는 광기전력 효과로 전기를 만듭니다. 이 효과는 1839년 에드몽 베크렐이 처음 알아냈고, 1954년 벨 연구소가 쓸 만한 실리콘 태양전지를 선보였습니다.',
      '시장의 대부분은 결정질 실리콘이 차지합니다. 양산 모듈의 효율은 대체로 20퍼센트를 넘고, 접합이 하나인 실리콘 전지의 이론 한계는 약 29퍼센트입니다.',
      '모듈 값은 2010년 이후 약 90퍼센트 내렸습니다. 누적 생산이 두 배가 될 때마다 값이 약 20퍼센트 내려가는 경향을 스완슨의 법칙이라고 부릅니다.',
      '태양광은 밤과 흐린 날에 약하므로 저장 장치, 송전망 연계, 수요 조절과 함께 쓰입니다.',
    ],
  },
  {
    topic: 'solar-energy',
    lang: 'en',
    url: 'https://sandbox.example/en/solar-energy',
    title: 'Solar power: how it works and why it spread',
    keywords,
    paragraphs: [
      'A solar cell makes electricity by the photovoltaic effect: light sets electrons of a semiconductor in motion. Edmond Becquerel observed the effect in 1839, and Bell Labs showed a practical silicon cell in 1954.',
      'Crystalline silicon holds most of the market. Mass-produced modules are mostly above 20 percent efficient; the theoretical limit of a single-junction silicon cell is about 29 percent.',
      "Module prices have fallen by about 90 percent since 2010. That they fall by about a fifth with every doubling of cumulative production is known as Swanson's law.",
      'Solar power is weak at night and under cloud, and is therefore combined with storage, wider grids and flexible demand.',
    ],
  },
];
