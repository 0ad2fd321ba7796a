import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config';
import { declarationsOf } from '../../src/tools/tool.decorator';
import { defineTool } from '../../src/tools/tool-definition';

const SPECIALISTS = [
  'web_search',
  'bulk_waste',
  'weather',
  'recyclable_price',
  'place',
  'collection_point',
];

describe('the agents of the city', () => {
  const RELAY_AGENTS_CONFIG = join(__dirname, 'agents.json');
  const { start, agents } = loadConfig({ RELAY_AGENTS_CONFIG }).agents!;
  const tools = readdirSync(__dirname)
    .filter((name) => name.endsWith('.tool.ts'))
    .flatMap((name) =>
      Object.values(
        // oxlint-disable-next-line typescript/no-require-imports
        require(join(__dirname, name)) as Record<string, object>,
      ),
    )
    .flatMap((exported) => declarationsOf(exported))
    .map(({ options }) => defineTool(options, {}));

  it('are one that routes and six specialists', () => {
    expect(agents.get(start)).toMatchObject({
      name: 'triage',
      tools: [],
      handoffs: SPECIALISTS,
    });
    expect([...agents.keys()]).toEqual(['triage', ...SPECIALISTS]);
  });

  it('share all tools among them', () => {
    const used = [...agents.values()].flatMap((agent) => agent.tools);
    expect(used.sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it('are described to each other', () => {
    for (const name of SPECIALISTS)
      expect(agents.get(name)!.description).toMatch(/[가-힣]/);
  });

  it('have tools that only read, in the strict form', () => {
    for (const { offered, annotations } of tools) {
      expect(annotations.readOnlyHint).toBe(true);
      const { properties, required } = offered.parameters;
      expect(required).toEqual(Object.keys(properties as object));
    }
  });
});
