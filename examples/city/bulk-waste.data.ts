import type { Named } from './mention';

interface BulkItem extends Named {
  readonly fees: readonly { readonly size: string; readonly won: number }[];
  readonly hint?: string;
}

interface District extends Named {
  readonly booking: string;
}

const APPLIANCE =
  'Large appliances are picked up free of charge. 대형 가전은 무상으로 수거합니다.';

export const ITEMS: readonly BulkItem[] = [
  {
    names: ['소파', '쇼파', 'sofa', 'couch'],
    fees: [
      { size: '1인용 (one seat)', won: 4_000 },
      { size: '2인용 (two seats)', won: 7_000 },
      { size: '3인용 이상 (three seats or more)', won: 11_000 },
    ],
  },
  {
    names: ['매트리스', 'mattress'],
    fees: [
      { size: '1인용 (single)', won: 6_000 },
      { size: '2인용 (double)', won: 9_000 },
    ],
    hint: 'Not together with the frame. 침대 틀은 따로 배출합니다.',
  },
  {
    names: ['장롱', '옷장', 'wardrobe', 'closet'],
    fees: [
      { size: '너비 90cm 이하 (up to 90 cm wide)', won: 9_000 },
      { size: '너비 90cm 초과 (over 90 cm wide)', won: 15_000 },
    ],
  },
  {
    names: ['책상', 'desk'],
    fees: [{ size: '모든 크기 (any)', won: 5_000 }],
  },
  {
    names: ['의자', 'chair'],
    fees: [{ size: '모든 크기 (any)', won: 2_500 }],
  },
  {
    names: ['자전거', 'bicycle', 'bike'],
    fees: [{ size: '모든 크기 (any)', won: 3_000 }],
  },
  {
    names: ['냉장고', 'refrigerator', 'fridge'],
    fees: [{ size: '모든 크기 (any)', won: 0 }],
    hint: APPLIANCE,
  },
  {
    names: ['세탁기', 'washing machine'],
    fees: [{ size: '모든 크기 (any)', won: 0 }],
    hint: APPLIANCE,
  },
];

export const DISTRICTS: readonly District[] = [
  {
    names: ['마포구', '마포', 'mapo', 'mapo-gu'],
    booking:
      'Book on the web page of the district, write the number on the item and put it out the evening before. ' +
      '구청 누리집에서 신청하고, 접수 번호를 붙여 전날 저녁에 내놓습니다.',
  },
  {
    names: ['강남구', '강남', 'gangnam', 'gangnam-gu'],
    booking:
      'Buy a sticker at a convenience store, and call for the pick-up. ' +
      '편의점에서 스티커를 사서 붙이고 전화로 수거를 신청합니다.',
  },
];

export const BOOKING =
  'Register at the community centre or on the web page of the district, and attach the sticker. ' +
  '주민센터나 구청 누리집에서 신고하고 스티커를 붙여 배출합니다.';
