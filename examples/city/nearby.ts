import { z } from 'zod';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The default center of a search: the city hall of Seoul. */
const CENTRE: Point = { latitude: 37.5663, longitude: 126.9779 };
const USUAL_RADIUS = 5_000;
const LARGEST_RADIUS = 20_000;
const EARTH_RADIUS = 6_371_000;

/** Arguments for the location. */
export const whereabouts = {
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z
    .number()
    .min(-180)
    .max(180)
    .optional()
    .describe('Without both of them: around the city hall of Seoul.'),
  radius: z
    .number()
    .positive()
    .optional()
    .describe(
      `In metres; left out: ${USUAL_RADIUS}, and never more than ${LARGEST_RADIUS}.`,
    ),
};

type Whereabouts = z.infer<z.ZodObject<typeof whereabouts>>;

export interface Area {
  centre: Point;
  radius: number;
}

export function areaOf({ latitude, longitude, radius }: Whereabouts): Area {
  return {
    centre:
      latitude === undefined || longitude === undefined
        ? CENTRE
        : { latitude, longitude },
    radius: Math.min(radius ?? USUAL_RADIUS, LARGEST_RADIUS),
  };
}

/** The entries of the area, nearest first. */
export function within<T extends Point>(
  { centre, radius }: Area,
  places: readonly T[],
): (T & { distance_metres: number })[] {
  return places
    .map((place) => ({
      ...place,
      distance_metres: Math.round(metresBetween(centre, place)),
    }))
    .filter(({ distance_metres }) => distance_metres <= radius)
    .sort((a, b) => a.distance_metres - b.distance_metres);
}

/** Distance along the surface of the earth. */
export function metresBetween(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) =>
    Math.sin(radians(to - from) / 2) ** 2;
  const angle =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      half(a.longitude, b.longitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(angle));
}
