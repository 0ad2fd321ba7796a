import type { Article } from './article';

const keywords = '해녀 제주 제주도 물질 Haenyeo Jeju women divers diving';

export const haenyeo: Article[] = [
  {
    topic: 'haenyeo',
    lang: 'ko',
    url: 'https://sandbox.example/ko/haenyeo',
    title: '제주 해녀와 물질 문화',
    keywords,
    paragraphs: [
      '제주 해녀는 산소통 없이 바다에 들어가 전복, 소라, 미역 같은 해산물을 채취하는 여성들입니다. 한 번에 1~2분 숨을 참으며 깊이 10미터 안팎까지 내려갑니다.',
      '물 위로 올라와 참았던 숨을 내쉬는 소리를 숨비소리라고 합니다. 해녀들은 기량에 따라 상군, 중군, 하군으로 나뉘고, 불턱에 모여 일과 안전을 의논했습니다.',
      '제주 해녀 문화는 2016년 유네스코 인류무형문화유산에 올랐습니다. 그러나 해녀의 수는 1960년대의 2만여 명에서 크게 줄었고, 지금은 대부분이 예순이 넘었습니다.',
    ],
  },
  {
    topic: 'haenyeo',
    lang: 'en',
    url: 'https://sandbox.example/en/haenyeo',
    title: 'The haenyeo, women divers of Jeju',
    keywords,
    paragraphs: [
      'The haenyeo of Jeju are women who gather abalone, conch and seaweed from the sea without breathing equipment. They hold their breath for a minute or two and go down to about ten metres.',
      'The whistling breath on surfacing is called sumbisori. Divers are ranked by skill as upper, middle and lower, and used to meet at a stone shelter, the bulteok, to talk about work and safety.',
      'Their culture entered the UNESCO list of intangible heritage in 2016. Their number has fallen far from more than twenty thousand in the 1960s, and most who dive today are over sixty.',
    ],
  },
];
