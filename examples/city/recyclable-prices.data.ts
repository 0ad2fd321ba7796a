import type { Named } from './mention';

interface Recyclable extends Named {
  /** Won for a kilogram, month by month. */
  readonly prices: readonly number[];
}

interface Region extends Named {
  /** Of the price in the whole country. */
  readonly share: number;
}

export const MONTHS: readonly string[] = [
  '2026-01',
  '2026-02',
  '2026-03',
  '2026-04',
  '2026-05',
  '2026-06',
];

export const RECYCLABLES: readonly Recyclable[] = [
  {
    names: ['폐지', '신문지', '종이', 'waste paper', 'newspaper', 'paper'],
    prices: [92, 94, 97, 101, 103, 105],
  },
  {
    names: ['골판지', '박스', 'cardboard'],
    prices: [84, 85, 83, 86, 88, 90],
  },
  {
    names: ['고철', '철캔', 'scrap iron', 'scrap metal', 'steel'],
    prices: [390, 385, 380, 372, 368, 360],
  },
  {
    names: ['알루미늄캔', '알루미늄', '캔', 'aluminium', 'aluminum', 'can'],
    prices: [1_510, 1_530, 1_550, 1_540, 1_560, 1_600],
  },
  {
    names: ['페트병', '페트', 'pet bottle', 'plastic bottle'],
    prices: [310, 315, 312, 320, 318, 322],
  },
  {
    names: ['공병', '유리병', 'glass bottle'],
    prices: [48, 48, 50, 50, 51, 52],
  },
];

export const REGIONS: readonly Region[] = [
  { names: ['전국', 'nationwide', 'korea'], share: 1 },
  { names: ['수도권', '서울', '경기', 'seoul'], share: 1.04 },
  { names: ['영남', '부산', '대구', 'busan'], share: 0.97 },
];
