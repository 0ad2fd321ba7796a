import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../support/client';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';

const CITY = join(__dirname, '../../../dist/examples/city');
const TOOLS = [
  'search_disposal_info',
  'get_weather_info',
  'get_price_trend',
  'get_latest_prices',
  'search_places',
  'search_category',
  'search_collection_points',
  'get_nearby_collection_points',
];

describe('the tools of RELAY_TOOLS_DIR', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ env: { RELAY_TOOLS_DIR: CITY } });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  it('are listed beside the others', async () => {
    const { body } = await client.get('/api/v1/tools');
    const names = body.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['deep_research', 'search_documents', ...TOOLS]),
    );
  });

  it.each<[string, object, object]>([
    [
      'search_disposal_info',
      { item_name: '소파', region: null },
      { item: '소파', region: null },
    ],
    ['get_weather_info', { location: 'Seoul' }, { location: '서울' }],
    ['get_price_trend', { item_name: '고철' }, { item: '고철' }],
    ['get_latest_prices', {}, { region: '전국' }],
    ['search_places', { query: '카페', radius: 99_999 }, { radius: 20_000 }],
    ['search_category', { category: 'cafe', radius: null }, { radius: 5_000 }],
    [
      'search_collection_points',
      { query: '마포구 건전지' },
      { points: [{ name: '망원동 주민센터' }] },
    ],
    [
      'get_nearby_collection_points',
      { latitude: 37.498, longitude: 127.028 },
      { points: [{ name: '강남 페트병 회수기' }] },
    ],
  ])('run in a worker: %s %j', async (tool_name, args, value) => {
    const { status, body } = await client.post('/api/v1/tool-invocations', {
      tool_name,
      arguments: args,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'completed', contents: [{ value }] });
  });

  it.each(['main', 'worker'] as const)(
    'stop the start of %s if one of them cannot be loaded',
    async (entry) => {
      const folder = mkdtempSync(join(tmpdir(), 'sonde-tools-'));
      try {
        writeFileSync(join(folder, 'mine.tool.js'), 'throw new Error("no");');
        const service = Service.spawn(entry, {
          ...stand.env,
          RELAY_TOOLS_DIR: folder,
        });
        expect(await service.end()).toBe(1);
        expect(service.output).toBe(
          'RELAY_TOOLS_DIR names a folder in which mine.tool.js cannot be loaded (Error: no). Example: dist/examples/city\n',
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
