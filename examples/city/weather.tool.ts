import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ContextOf } from '../../src/tools/tool';
import { Tool } from '../../src/tools/tool.decorator';
import { ToolError } from '../../src/tools/tool-error';
import { listed, mentioned, NOTE } from './mention';
import { metresBetween } from './nearby';
import { CITIES } from './weather.data';

const WASTE = ['paper', 'plastic', 'food', 'clothes'] as const;
/** Beyond this distance the weather differs. */
const FARTHEST = 50_000;

const parameters = z.object({
  location: z
    .string()
    .min(1)
    .max(1_000)
    .describe('The city, in Korean or English, e.g. 서울.'),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z
    .number()
    .min(-180)
    .max(180)
    .optional()
    .describe('Where both are known they count, not the name.'),
  waste_category: z
    .enum(WASTE)
    .optional()
    .describe('What is to be put out, for advice that fits the weather.'),
});

/** Where the user is, if the request says so. */
const context = z.object({
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
});

type Arguments = z.infer<typeof parameters>;

@Tool({
  name: 'get_weather_info',
  description:
    'Returns the weather of a city, and whether it is a good day to put waste out. 날씨, 기온, 비 소식.',
  parameters,
  context,
  annotations: { readOnlyHint: true, idempotentHint: true },
})
@Injectable()
export class WeatherTool {
  run(args: Arguments, { toolContext }: ContextOf<typeof context>) {
    const city = cityOf(args) ?? cityOf({ location: '', ...toolContext });
    if (!city) {
      throw new ToolError(
        'NOT_FOUND',
        `The example data has only these cities: ${listed(CITIES)}.`,
      );
    }
    const { names, sky, celsius, chanceOfRain } = city;
    return {
      location: names[0],
      sky,
      temperature_celsius: celsius,
      chance_of_rain_percent: chanceOfRain,
      ...(args.waste_category && {
        advice: adviceFor(args.waste_category, chanceOfRain),
      }),
      note: NOTE,
    };
  }
}

function cityOf({ location, latitude, longitude }: Arguments) {
  if (latitude === undefined || longitude === undefined)
    return mentioned(location, CITIES);
  const here = { latitude, longitude };
  return CITIES.map((city) => ({ city, metres: metresBetween(here, city) }))
    .filter(({ metres }) => metres <= FARTHEST)
    .sort((a, b) => a.metres - b.metres)
    .at(0)?.city;
}

function adviceFor(
  waste: (typeof WASTE)[number],
  chanceOfRain: number,
): string {
  if (chanceOfRain < 60) return 'The weather is no reason to wait.';
  return waste === 'paper' || waste === 'clothes'
    ? 'Keep it dry: what is wet cannot be recycled, so wait for another day.'
    : 'Close the bag well, so that no rain gets in.';
}
