import type { Article } from './article';

const keywords =
  'jajangmyeon jjajangmyeon black bean noodles chunjang korean chinese 짜장면 자장면';

export const jajangmyeonEn: Article[] = [
  {
    topic: 'jajangmyeon',
    lang: 'en',
    url: 'https://sandbox.example/en/jajangmyeon/origin',
    title: "Jajangmyeon: origins in Incheon's Chinatown",
    keywords,
    paragraphs: [
      'Jajangmyeon goes back to zhajiangmian, a home-style noodle dish of Shandong in northern China. When the port of Incheon opened in 1883 and a Qing concession followed a year later, labourers and merchants from Shandong brought the dish with them.',
      'Gonghwachun, a Chinese restaurant in Incheon, is widely credited with putting jajangmyeon on a menu and making it known. Its forerunner opened in the first years of the twentieth century and took the name Gonghwachun in the 1910s.',
      'The early dish was salty: a little fried bean paste mixed into noodles, a cheap and quick meal for people who worked on the docks.',
    ],
  },
  {
    topic: 'jajangmyeon',
    lang: 'en',
    url: 'https://sandbox.example/en/jajangmyeon/chunjang',
    title: 'Chunjang and the birth of the Korean sauce',
    keywords,
    paragraphs: [
      'The taste of the Korean dish was settled by chunjang, its black bean paste. In 1948 Wang Songshan, a Chinese resident, founded the Yeonghwa sauce company and added caramel to a paste of soybeans and wheat, which made it darker and sweeter.',
      'Frying chunjang in oil with pork, onions, potatoes and courgettes, and thickening it with water and starch, turned jajangmyeon into something clearly different from its Chinese ancestor.',
      'Ganjjajang is fried to order without water or starch and served apart from the noodles; jaengban-jjajang is tossed with the noodles on a large plate; samseon-jjajang adds seafood.',
    ],
  },
  {
    topic: 'jajangmyeon',
    lang: 'en',
    url: 'https://sandbox.example/en/jajangmyeon/postwar',
    title: 'Post-war wheat flour and the spread of jajangmyeon',
    keywords,
    paragraphs: [
      'After the Korean War wheat flour arrived in large amounts as American aid, and in the 1960s and 1970s the government urged people to eat mixed grains and flour in order to save rice. Jajangmyeon, made of flour, spread quickly in these years.',
      'Limits on trade and land ownership led many ethnic Chinese to open restaurants, so that nearly every neighbourhood had one. Delivery by motorcycle in a metal carrying case grew up with them.',
      'The price of a bowl was long among those the government watched, because it stood for an ordinary family meal out.',
    ],
  },
  {
    topic: 'jajangmyeon',
    lang: 'en',
    url: 'https://sandbox.example/en/jajangmyeon/museum',
    title: 'The Jajangmyeon Museum in Incheon',
    keywords,
    paragraphs: [
      'The old Gonghwachun building, two storeys of red brick, was registered as national cultural heritage in 2006. The Jung district of Incheon restored it and opened it as the Jajangmyeon Museum in 2012.',
      'The museum shows the meals of dock workers after the port opened, a dining room of the 1930s, a kitchen of the 1960s and the changing shapes of the delivery case.',
    ],
  },
  {
    topic: 'jajangmyeon',
    lang: 'en',
    url: 'https://sandbox.example/en/jajangmyeon/culture',
    title: 'What jajangmyeon means in Korea',
    keywords,
    paragraphs: [
      'Jajangmyeon is remembered as the food of special days: graduations, moving house, leave from the army. On 14 April, Black Day, people without a partner eat it together.',
      'For a long time only the spelling "jajangmyeon" was standard Korean; in August 2011 the National Institute of Korean Language accepted the common pronunciation "jjajangmyeon" as well.',
      "In 2006 the government counted it among the country's hundred cultural symbols: a rare case of an immigrants' dish that became a national one.",
    ],
  },
];
