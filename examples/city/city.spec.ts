import type { z } from 'zod';
import type { ToolContext } from '../../src/tools/tool';
import { declarationsOf } from '../../src/tools/tool.decorator';
import { defineTool } from '../../src/tools/tool-definition';
import { parseArguments } from '../../src/tools/schemas/parse-arguments';
import { BulkWasteTool } from './bulk-waste.tool';
import { CollectionPointsTools } from './collection-points.tool';
import { PlacesTools } from './places.tool';
import { RecyclablePricesTools } from './recyclable-prices.tool';
import { WeatherTool } from './weather.tool';

const OWNERS = [
  BulkWasteTool,
  CollectionPointsTools,
  PlacesTools,
  RecyclablePricesTools,
  WeatherTool,
];

/** Calls a tool as a model does: by its name, with JSON in which null is what was left out. */
async function call(
  name: string,
  args: Record<string, unknown>,
  toolContext?: ToolContext['toolContext'],
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any> {
  for (const owner of OWNERS) {
    for (const { options, method } of declarationsOf(owner)) {
      if (options.name !== name) continue;
      const instance = new owner() as unknown as Record<
        string,
        (
          args: z.infer<typeof options.parameters>,
          context: ToolContext,
        ) => unknown
      >;
      const tool = defineTool(options, {
        run: async (given, context) => instance[method](given, context),
      });
      const context = { toolContext } as ToolContext;
      return tool.run!(parseArguments(tool, args), context);
    }
  }
  throw new Error(`There is no tool ${name}.`);
}

const EXAMPLE = { note: expect.stringContaining('Example data') };
const CITY_HALL = { latitude: 37.5663, longitude: 126.9779 };
const HERE = { latitude: null, longitude: null, radius: null };

describe('search_disposal_info', () => {
  const dispose = (item_name: string, region: string | null = null) =>
    call('search_disposal_info', { item_name, region });

  it.each(['소파', '소파를 버리려는데 얼마예요?', 'an old couch'])(
    'tells the fees of "%s" for each size',
    async (item) => {
      expect(await dispose(item)).toEqual({
        ...EXAMPLE,
        item: '소파',
        region: null,
        fees: [
          { size: expect.stringContaining('1인용'), won: 4_000 },
          { size: expect.stringContaining('2인용'), won: 7_000 },
          { size: expect.stringContaining('3인용'), won: 11_000 },
        ],
        booking: expect.stringContaining('주민센터'),
      });
    },
  );

  it.each([
    ['책상', '마포구', '마포구', '구청 누리집'],
    ['마포에서 책상 버리기', null, '마포구', '구청 누리집'],
    ['desk', 'Gangnam', '강남구', '편의점'],
    ['desk', 'Atlantis', null, '주민센터'],
  ])('books the pick-up of %s in %s', async (item, place, region, booking) => {
    expect(await dispose(item, place)).toMatchObject({
      region,
      booking: expect.stringContaining(booking),
    });
  });

  it('says what costs nothing', async () => {
    expect(await dispose('냉장고')).toMatchObject({
      fees: [{ won: 0 }],
      hint: expect.stringContaining('무상'),
    });
  });

  it('says what it knows where it does not know the item', async () => {
    await expect(dispose('a submarine')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/소파, 매트리스/),
    });
  });
});

describe('get_weather_info', () => {
  const NO_MORE = { latitude: null, longitude: null, waste_category: null };
  const weather = (
    location: string,
    more: object = {},
    here?: ToolContext['toolContext'],
  ) => call('get_weather_info', { location, ...NO_MORE, ...more }, here);

  it.each(['서울 날씨 어때?', 'Seoul'])('knows "%s"', async (location) => {
    expect(await weather(location)).toEqual({
      ...EXAMPLE,
      location: '서울',
      sky: 'rain',
      temperature_celsius: 17,
      chance_of_rain_percent: 80,
    });
  });

  it.each([
    ['서울', 'paper', /another day/],
    ['서울', 'plastic', /Close the bag/],
    ['부산', 'paper', /no reason to wait/],
  ])('advises in %s on %s', async (location, waste_category, advice) => {
    expect(await weather(location, { waste_category })).toMatchObject({
      advice: expect.stringMatching(advice),
    });
  });

  it('goes by coordinates where both are known', async () => {
    const incheon = { latitude: 37.45, longitude: 126.7 };
    expect(await weather('here', incheon)).toMatchObject({ location: '인천' });
    const half = { latitude: 37.45 };
    expect(await weather('부산', half)).toMatchObject({ location: '부산' });
  });

  it('goes by where the user is, if a chat says so and names no other place', async () => {
    const incheon = { latitude: 37.45, longitude: 126.7 };
    expect(await weather('here', {}, incheon)).toMatchObject({
      location: '인천',
    });
    expect(await weather('부산', {}, incheon)).toMatchObject({
      location: '부산',
    });
  });

  it.each<[string, object]>([
    ['Atlantis', {}],
    ['서울', { latitude: 0, longitude: 0 }],
  ])('knows nothing of %s at %j', async (location, where) => {
    await expect(weather(location, where)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('get_price_trend', () => {
  it.each([
    ['고철 시세 추이', null, '전국', 390, 360],
    ['scrap metal', '수도권', '수도권', 406, 374],
    ['scrap metal', 'Atlantis', '전국', 390, 360],
  ])(
    'tells of %s in %s how its price went',
    async (item_name, region, told, first, last) => {
      const trend = await call('get_price_trend', { item_name, region });
      expect(trend).toMatchObject({
        ...EXAMPLE,
        item: '고철',
        region: told,
        unit: 'KRW per kg',
        change_percent: -7.7,
      });
      expect(trend.months).toHaveLength(6);
      expect(trend.months[0]).toEqual({ month: '2026-01', price: first });
      expect(trend.months[5]).toEqual({ month: '2026-06', price: last });
    },
  );

  it('says what it knows where it does not know the recyclable', async () => {
    await expect(
      call('get_price_trend', { item_name: 'gold' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('get_latest_prices', () => {
  const latest = async (item_name: string | null) =>
    (await call('get_latest_prices', { item_name, region: null })).prices;

  it('tells those of all recyclables, or of one', async () => {
    expect(await latest(null)).toHaveLength(6);
    expect(await latest('알루미늄 캔')).toEqual([
      { item: '알루미늄캔', price: 1_600 },
    ]);
    expect(await latest('waste paper')).toEqual([{ item: '폐지', price: 105 }]);
  });
});

describe('search_places', () => {
  const places = (query: string, where: object = HERE) =>
    call('search_places', { query, ...where });
  const names = ({ places: found }: { places: { name: string }[] }) =>
    found.map(({ name }) => name);

  it('finds a kind of place around the city hall, the nearest first', async () => {
    const found = await places('제로웨이스트 가게가 어디 있어?', {
      ...HERE,
      radius: 20_000,
    });
    expect(found).toMatchObject({
      ...EXAMPLE,
      centre: CITY_HALL,
      radius: 20_000,
      places: [
        {
          name: '한빛 제로웨이스트 상점',
          category: 'zero_waste_shop',
          address: '서울 종로구 예시로 1',
          distance_metres: 552,
        },
        { name: '망원 리필 가게' },
      ],
    });
  });

  it('finds a place by its name', async () => {
    expect(names(await places('Where is Euljiro repair?'))).toEqual([
      '을지로 수리소',
    ]);
  });

  it('looks five kilometres far, unless it is told otherwise', async () => {
    const near = await places('카페');
    expect(near.radius).toBe(5_000);
    expect(names(near)).toEqual(['텀블러 카페']);
    const far = await places('카페', { ...HERE, radius: 10_000 });
    expect(names(far)).toEqual(['텀블러 카페', '강남 리필 카페']);
  });

  it('finds nothing where there is nothing', async () => {
    expect(names(await places('a submarine'))).toEqual([]);
    expect(
      names(await places('카페', { latitude: 0, longitude: 0, radius: null })),
    ).toEqual([]);
  });
});

describe('search_category', () => {
  it('lists all places of a category', async () => {
    expect(
      await call('search_category', { category: 'repair_shop', ...HERE }),
    ).toMatchObject({ places: [{ name: '을지로 수리소' }] });
  });

  it('refuses a category that there is not', async () => {
    await expect(
      call('search_category', { category: 'castle' }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('search_collection_points', () => {
  const points = async (query: string, item_name: string | null = null) =>
    (await call('search_collection_points', { query, item_name })).points.map(
      ({ name }: { name: string }) => name,
    );

  it.each([
    ['마포구에 건전지 버리는 곳', null, ['망원동 주민센터']],
    ['Mapo', 'batteries', ['망원동 주민센터']],
    ['마포', null, ['망원동 주민센터', '합정 의류수거함']],
    ['Where do I bring old clothes?', null, ['합정 의류수거함']],
    ['강남구', '건전지', []],
  ])('finds for %s and %s', async (query, item, found) => {
    expect(await points(query, item)).toEqual(found);
  });
});

describe('get_nearby_collection_points', () => {
  it('lists those around a place that take the item', async () => {
    const found = await call('get_nearby_collection_points', {
      ...HERE,
      item_name: '형광등',
    });
    expect(found).toMatchObject({
      ...EXAMPLE,
      centre: CITY_HALL,
      radius: 5_000,
      points: [{ name: '시청역 분리수거함' }, { name: '종로 주민센터' }],
    });
  });
});
