import type { Article } from './article';

const keywords =
  '한글 훈민정음 세종대왕 세종 자음 모음 Hangul Hangeul Korean alphabet Sejong';

export const hangul: Article[] = [
  {
    topic: 'hangul',
    lang: 'ko',
    url: 'https://sandbox.example/ko/hangul',
    title: '한글: 훈민정음의 창제와 원리',
    keywords,
    paragraphs: [
      '한글은 조선의 네 번째 임금 세종이 1443년에 만들어 1446년에 「훈민정음」이라는 이름으로 반포한 글자입니다. 한자를 배우기 어려운 백성도 제 뜻을 글로 적게 하려는 것이 목적이었습니다.',
      '자음 글자는 혀와 입술, 목구멍 같은 발음 기관의 모양을 본떴고, 소리가 거세지면 획을 더했습니다. 모음 글자는 하늘(ㆍ), 땅(ㅡ), 사람(ㅣ)을 나타내는 세 기본 글자를 모아 만들었습니다.',
      '글자를 만든 원리를 적은 「훈민정음 해례본」은 1940년 경상북도 안동에서 발견되었고, 1997년 유네스코 세계기록유산에 올랐습니다.',
      '오늘날 쓰는 자모는 자음 14자와 모음 10자이며, 첫소리, 가운뎃소리, 끝소리를 모아 한 음절을 한 덩어리로 적습니다. 한국은 10월 9일을 한글날로 기립니다.',
    ],
  },
  {
    topic: 'hangul',
    lang: 'en',
    url: 'https://sandbox.example/en/hangul',
    title: 'Hangul: how the Korean alphabet was made',
    keywords,
    paragraphs: [
      'Hangul was created in 1443 by Sejong, fourth king of Joseon, and proclaimed in 1446 under the name Hunminjeongeum. Its purpose was to let people who could not learn Chinese characters write down what they meant.',
      'The consonant letters picture the speech organs, and a stroke is added where the sound grows stronger. The vowel letters combine three basic signs that stand for heaven, earth and the human being.',
      'The Haerye edition, which explains the principles of the letters, was found in Andong in 1940 and entered the UNESCO Memory of the World register in 1997.',
      'Modern Hangul has 14 basic consonants and 10 basic vowels, and writes each syllable as one block. South Korea keeps 9 October as Hangul Day.',
    ],
  },
];
