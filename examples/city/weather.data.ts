import type { Named } from './mention';
import type { Point } from './nearby';

interface City extends Named, Point {
  readonly sky: 'clear' | 'cloudy' | 'rain' | 'snow';
  readonly celsius: number;
  readonly chanceOfRain: number;
}

export const CITIES: readonly City[] = [
  {
    names: ['서울', 'seoul'],
    latitude: 37.5663,
    longitude: 126.9779,
    sky: 'rain',
    celsius: 17,
    chanceOfRain: 80,
  },
  {
    names: ['인천', 'incheon'],
    latitude: 37.4563,
    longitude: 126.7052,
    sky: 'cloudy',
    celsius: 16,
    chanceOfRain: 40,
  },
  {
    names: ['대전', 'daejeon'],
    latitude: 36.3504,
    longitude: 127.3845,
    sky: 'cloudy',
    celsius: 19,
    chanceOfRain: 30,
  },
  {
    names: ['부산', 'busan'],
    latitude: 35.1796,
    longitude: 129.0756,
    sky: 'clear',
    celsius: 22,
    chanceOfRain: 10,
  },
  {
    names: ['제주', 'jeju'],
    latitude: 33.4996,
    longitude: 126.5312,
    sky: 'rain',
    celsius: 21,
    chanceOfRain: 90,
  },
];
