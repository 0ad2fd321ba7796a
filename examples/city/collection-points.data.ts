import type { Named } from './mention';
import type { Point } from './nearby';

export const KINDS: readonly Named[] = [
  { names: ['건전지', '배터리', 'battery', 'batterie'] },
  { names: ['형광등', 'fluorescent', 'light bulb'] },
  { names: ['의류', '헌 옷', '옷', 'clothes', 'clothing'] },
  { names: ['페트병', '투명 페트', 'pet bottle', 'plastic bottle'] },
  { names: ['폐의약품', '의약품', 'medicine'] },
];

export const DISTRICTS: readonly Named[] = [
  { names: ['마포구', '마포', 'mapo'] },
  { names: ['중구', 'jung-gu'] },
  { names: ['종로구', '종로', 'jongno'] },
  { names: ['강남구', '강남', 'gangnam'] },
];

interface CollectionPoint extends Point {
  readonly name: string;
  readonly address: string;
  /** First names of `DISTRICTS` and `KINDS`. */
  readonly district: string;
  readonly accepts: readonly string[];
}

export const POINTS: readonly CollectionPoint[] = [
  {
    name: '시청역 분리수거함',
    address: '서울 중구 예시로 3',
    district: '중구',
    accepts: ['건전지', '형광등'],
    latitude: 37.5652,
    longitude: 126.9771,
  },
  {
    name: '종로 주민센터',
    address: '서울 종로구 예시로 5',
    district: '종로구',
    accepts: ['건전지', '형광등', '폐의약품'],
    latitude: 37.5731,
    longitude: 126.9794,
  },
  {
    name: '망원동 주민센터',
    address: '서울 마포구 예시로 20',
    district: '마포구',
    accepts: ['건전지', '형광등', '폐의약품'],
    latitude: 37.5559,
    longitude: 126.9017,
  },
  {
    name: '합정 의류수거함',
    address: '서울 마포구 예시로 41',
    district: '마포구',
    accepts: ['의류'],
    latitude: 37.5496,
    longitude: 126.9139,
  },
  {
    name: '강남 페트병 회수기',
    address: '서울 강남구 예시로 88',
    district: '강남구',
    accepts: ['페트병'],
    latitude: 37.4981,
    longitude: 127.0286,
  },
];
