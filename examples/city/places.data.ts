import type { Named } from './mention';
import type { Point } from './nearby';

export const CATEGORIES = [
  'zero_waste_shop',
  'repair_shop',
  'second_hand_shop',
  'cafe',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What a search calls the places of a category. */
export const KINDS: readonly (Named & { readonly category: Category })[] = [
  {
    category: 'zero_waste_shop',
    names: ['제로웨이스트', '리필', 'zero waste', 'zero-waste', 'refill'],
  },
  {
    category: 'repair_shop',
    names: ['수리', '고치', 'repair', 'mend', 'fix'],
  },
  {
    category: 'second_hand_shop',
    names: ['중고', '헌 옷', '기부', 'second-hand', 'second hand', 'thrift'],
  },
  { category: 'cafe', names: ['카페', '커피', 'cafe', 'coffee'] },
];

interface Place extends Named, Point {
  readonly category: Category;
  readonly address: string;
}

export const PLACES: readonly Place[] = [
  {
    names: ['한빛 제로웨이스트 상점', 'hanbit zero waste'],
    category: 'zero_waste_shop',
    address: '서울 종로구 예시로 1',
    latitude: 37.5712,
    longitude: 126.9769,
  },
  {
    names: ['망원 리필 가게', 'mangwon refill'],
    category: 'zero_waste_shop',
    address: '서울 마포구 예시로 22',
    latitude: 37.5561,
    longitude: 126.9042,
  },
  {
    names: ['을지로 수리소', 'euljiro repair'],
    category: 'repair_shop',
    address: '서울 중구 예시로 7',
    latitude: 37.5664,
    longitude: 126.9917,
  },
  {
    names: ['나눔 중고 가게', 'nanum second-hand'],
    category: 'second_hand_shop',
    address: '서울 용산구 예시로 30',
    latitude: 37.5384,
    longitude: 126.9654,
  },
  {
    names: ['텀블러 카페', 'tumbler cafe'],
    category: 'cafe',
    address: '서울 중구 예시로 12',
    latitude: 37.5638,
    longitude: 126.9826,
  },
  {
    names: ['강남 리필 카페', 'gangnam refill cafe'],
    category: 'cafe',
    address: '서울 강남구 예시로 90',
    latitude: 37.4979,
    longitude: 127.0276,
  },
];
