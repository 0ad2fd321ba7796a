import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Tool } from '../../src/tools/tool.decorator';
import { allMentioned, NOTE } from './mention';
import { type Area, areaOf, whereabouts, within } from './nearby';
import { CATEGORIES, KINDS, PLACES } from './places.data';

const search = z.object({
  query: z
    .string()
    .min(1)
    .max(1_000)
    .describe('The name or the kind of a place, in Korean or English.'),
  ...whereabouts,
});
const category = z.object({ category: z.enum(CATEGORIES), ...whereabouts });

const annotations = { readOnlyHint: true, idempotentHint: true };

@Injectable()
export class PlacesTools {
  @Tool({
    name: 'search_places',
    description:
      'Finds shops and other places by name or kind, the nearest first. 가게, 상점, 장소 검색.',
    parameters: search,
    annotations,
  })
  search({ query, ...where }: z.infer<typeof search>) {
    const kinds = allMentioned(query, KINDS).map((kind) => kind.category);
    const named = allMentioned(query, PLACES);
    const found =
      named.length > 0
        ? named
        : PLACES.filter((place) => kinds.includes(place.category));
    return resultOf(areaOf(where), found);
  }

  @Tool({
    name: 'search_category',
    description:
      'Lists all places of one category, the nearest first. 카테고리별 장소 목록.',
    parameters: category,
    annotations,
  })
  category({ category: wanted, ...where }: z.infer<typeof category>) {
    const found = PLACES.filter((place) => place.category === wanted);
    return resultOf(areaOf(where), found);
  }
}

function resultOf(area: Area, found: typeof PLACES) {
  return {
    ...area,
    places: within(area, found).map(({ names: [name], ...place }) => ({
      name,
      ...place,
    })),
    note: NOTE,
  };
}
