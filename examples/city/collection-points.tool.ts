import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Tool } from '../../src/tools/tool.decorator';
import { DISTRICTS, KINDS, POINTS } from './collection-points.data';
import { allMentioned, NOTE } from './mention';
import { areaOf, whereabouts, within } from './nearby';

const item_name = z
  .string()
  .max(200)
  .optional()
  .describe('The item, e.g. 건전지. Default: any.');

const search = z.object({
  query: z
    .string()
    .min(1)
    .max(1_000)
    .describe('A district or what is collected, e.g. 마포구 건전지.'),
  item_name,
});
const nearby = z.object({ ...whereabouts, item_name });

const annotations = { readOnlyHint: true, idempotentHint: true };

@Injectable()
export class CollectionPointsTools {
  @Tool({
    name: 'search_collection_points',
    description:
      'Finds collection points of a district, or for one kind of waste such as batteries or clothes. 수거함 검색.',
    parameters: search,
    annotations,
  })
  search({ query, item_name: item }: z.infer<typeof search>) {
    const districts = firstNames(query, DISTRICTS);
    const isThere = ({ district }: { district: string }) =>
      districts.length === 0 || districts.includes(district);
    return {
      points: accepting(`${query} ${item ?? ''}`).filter(isThere),
      note: NOTE,
    };
  }

  @Tool({
    name: 'get_nearby_collection_points',
    description:
      'Lists the collection points around a place, the nearest first. 가까운 수거함, 근처 수거함.',
    parameters: nearby,
    annotations,
  })
  nearby({ item_name: item, ...where }: z.infer<typeof nearby>) {
    const area = areaOf(where);
    return {
      ...area,
      points: within(area, accepting(item ?? '')),
      note: NOTE,
    };
  }
}

/** The points that accept all kinds of waste that the text mentions. */
function accepting(text: string) {
  const kinds = firstNames(text, KINDS);
  return POINTS.filter(({ accepts }) =>
    kinds.every((kind) => accepts.includes(kind)),
  );
}

function firstNames(text: string, things: typeof KINDS): string[] {
  return allMentioned(text, things).map(({ names: [first] }) => first);
}
