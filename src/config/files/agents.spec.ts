import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../environment';
import { loadConfig } from '../load-config';

describe('RELAY_AGENTS_CONFIG', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  const path = join(folder, 'agents.json');
  const hostedPath = join(folder, 'hosted.json');
  const url = 'https://wiki.example/mcp';
  writeFileSync(
    hostedPath,
    JSON.stringify({
      file_search: { vectorStoreIds: ['vs_1'] },
      mcp: { wiki: { url, trusted: true }, odd: { url } },
    }),
  );

  afterAll(() => rmSync(folder, { recursive: true }));

  function read(content: unknown) {
    const text =
      typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(path, text);
    return loadConfig({
      RELAY_AGENTS_CONFIG: path,
      RELAY_HOSTED_TOOLS_CONFIG: hostedPath,
    }).agents!;
  }

  const guide = { instructions: 'Guide.' };
  const only = (agent: unknown) =>
    read({ start: 'guide', agents: { guide: agent } });
  const several = (agents: Record<string, string[]>) =>
    read({
      start: 'guide',
      agents: Object.fromEntries(
        Object.entries(agents).map(([name, handoffs]) => [
          name,
          { ...guide, handoffs },
        ]),
      ),
    });

  it('is optional', () => {
    expect(loadConfig({}).agents).toBeUndefined();
  });

  it('reads agents, in the order of the file', () => {
    const { start, agents } = read({
      start: 'guide',
      agents: {
        guide: {
          ...guide,
          tools: [],
          handoffs: ['weather', 'web-search'],
          agentTools: ['weather'],
        },
        weather: {
          description: 'Knows the weather.',
          instructions: ['Tell the weather.', '', 'Be brief.'],
          model: 'gpt-4o-mini',
          tools: ['get_weather_info', 'files__*'],
          handoffs: ['guide'],
        },
        'web-search': {
          ...guide,
          hostedTools: ['web_search', 'image_generation'],
        },
      },
    });
    expect(start).toBe('guide');
    expect([...agents]).toEqual([
      [
        'guide',
        {
          name: 'guide',
          description: '',
          instructions: 'Guide.',
          tools: [],
          hostedTools: [],
          handoffs: ['weather', 'web-search'],
          agentTools: ['weather'],
        },
      ],
      [
        'weather',
        {
          name: 'weather',
          description: 'Knows the weather.',
          instructions: 'Tell the weather.\n\nBe brief.',
          model: 'gpt-4o-mini',
          tools: ['get_weather_info', 'files__*'],
          hostedTools: [],
          handoffs: ['guide'],
          agentTools: [],
        },
      ],
      [
        'web-search',
        {
          name: 'web-search',
          description: '',
          instructions: 'Guide.',
          tools: ['*'],
          hostedTools: ['web_search', 'image_generation'],
          handoffs: [],
          agentTools: [],
        },
      ],
    ]);
  });

  it.each([
    'web_search',
    'file_search',
    'code_interpreter',
    'image_generation',
    'mcp:wiki',
  ])('takes the hosted tool %s', (name) => {
    const { agents } = only({ ...guide, hostedTools: [name] });
    expect(agents.get('guide')!.hostedTools).toEqual([name]);
  });

  it('accepts agents that are reachable through others, in cycles too', () => {
    const { agents } = several({ guide: ['a'], a: ['b'], b: ['guide', 'a'] });
    expect(agents.size).toBe(3);
  });

  it.each<[string, unknown]>([
    ['the whole is not an object', []],
    ['start is missing', { agents: { guide } }],
    ['agents is missing', { start: 'guide' }],
    ['agents is not an object', { start: 'guide', agents: 'secret' }],
    ['agents.guide is not an object', { start: 'guide', agents: { guide: 1 } }],
    ['model is not known', { start: 'guide', model: 'a', agents: { guide } }],
    [
      'start names "a", which is none of the agents',
      { start: 'a', agents: {} },
    ],
    [
      'start names "toString", which is none of the agents',
      { start: 'toString', agents: { guide } },
    ],
    [
      'agents.my guide is not a name of 1 to 32 letters, digits, _ or -',
      { start: 'my guide', agents: { 'my guide': guide } },
    ],
    [
      `agents.${'a'.repeat(33)} is not a name of 1 to 32 letters, digits, _ or -`,
      { start: 'a', agents: { ['a'.repeat(33)]: guide } },
    ],
  ])('says that %s', (fault, content) => {
    expect(faultOf(() => read(content))).toBe(`names a file in which ${fault}`);
  });

  it.each<[string, object]>([
    ['.instructions is missing', {}],
    ['.instructions is empty', { instructions: ' \n' }],
    ['.instructions is empty', { instructions: [] }],
    ['.instructions is empty', { instructions: ['', ' '] }],
    [
      '.instructions is neither a text nor a list of lines',
      { instructions: ['secret', 1] },
    ],
    ['.description is not a text', { ...guide, description: ['secret'] }],
    ['.model is empty', { ...guide, model: '' }],
    ['.tools is not a list of names', { ...guide, tools: 'secret' }],
    ['.tools.1 is not a text', { ...guide, tools: ['a', 1] }],
    ['.tools names "a" twice', { ...guide, tools: ['a', 'b', 'a'] }],
    [
      '.hostedTools names "mcp:", not one of web_search, file_search, code_interpreter, image_generation, mcp:<label>',
      { ...guide, hostedTools: ['web_search', 'mcp:'] },
    ],
    [
      '.hostedTools names mcp:news, which is not configured',
      { ...guide, hostedTools: ['code_interpreter', 'mcp:news'] },
    ],
    [
      '.hostedTools names mcp:odd, which is not trusted: its calls could not be approved',
      { ...guide, hostedTools: ['mcp:odd'] },
    ],
    [
      '.hostedTools names web_search and private sources together, which could send private content to the web (RELAY_ALLOW_MIXED_SOURCES=true allows it)',
      { ...guide, hostedTools: ['web_search', 'file_search'] },
    ],
    ['.handoffs is not a list of names', { ...guide, handoffs: {} }],
    ['.handoffs names the agent itself', { ...guide, handoffs: ['guide'] }],
    [
      '.handoffs names "weather", which is none of the agents',
      { ...guide, handoffs: ['weather'] },
    ],
    ['.handsoff is not known', { ...guide, handsoff: ['secret'] }],
  ])('says that agents.guide%s', (fault, agent) => {
    expect(faultOf(() => only(agent))).toBe(
      `names a file in which agents.guide${fault}`,
    );
  });

  it('reports an agent that is not reachable', () => {
    const lost = { guide: ['a'], a: ['guide'], b: ['c'], c: ['b', 'a'] };
    expect(faultOf(() => several(lost))).toBe(
      'names a file in which agents.b can be reached by no handoffs and no agentTools from "guide", which starts',
    );
  });

  describe('agents as tools', () => {
    const calling = (
      agents: Record<string, { agentTools?: string[]; handoffs?: string[] }>,
    ) =>
      read({
        start: 'guide',
        agents: Object.fromEntries(
          Object.entries(agents).map(([name, more]) => [
            name,
            { ...guide, ...more },
          ]),
        ),
      });

    it('may be called by several, and hand over to their callers', () => {
      const { agents } = calling({
        guide: { agentTools: ['a', 'b'] },
        a: { agentTools: ['b'], handoffs: ['guide'] },
        b: {},
      });
      expect(agents.get('guide')!.agentTools).toEqual(['a', 'b']);
    });

    it.each([
      ['names the agent itself', ['guide']],
      ['names "c", which is none of the agents', ['c']],
      ['names "a" twice', ['a', 'a']],
    ])('are refused where the list %s', (fault, agentTools) => {
      expect(faultOf(() => calling({ guide: { agentTools }, a: {} }))).toBe(
        `names a file in which agents.guide.agentTools ${fault}`,
      );
    });

    it('are refused where they call each other in a circle', () => {
      const circle = {
        guide: { agentTools: ['a'] },
        a: { agentTools: ['b'] },
        b: { agentTools: ['a'] },
      };
      expect(faultOf(() => calling(circle))).toBe(
        'names a file in which agents.a.agentTools lead in a circle: a > b > a',
      );
    });

    it('do not reach what they hand over to, which they cannot while they are called', () => {
      const lost = {
        guide: { agentTools: ['a'] },
        a: { handoffs: ['b'] },
        b: {},
      };
      expect(faultOf(() => calling(lost))).toMatch(/agents\.b can be reached/);
    });
  });

  it('reports that the file is not JSON, without quoting it', () => {
    expect(faultOf(() => read('{\n  secret'))).toMatch(
      /^names a file that is not JSON \(line 2 column \d+\)$/,
    );
  });

  it('reports a missing file', () => {
    const nowhere = join(folder, 'nowhere');
    expect(faultOf(() => loadConfig({ RELAY_AGENTS_CONFIG: nowhere }))).toBe(
      'names a file that cannot be read (ENOENT)',
    );
  });
});

/** Without the name of the variable and the example, which every line has. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as Error;
    expect(message).not.toMatch(/\n|secret/);
    const [, fault] =
      /^RELAY_AGENTS_CONFIG (.*)\. Example: \/etc\/sonde\/agents\.json with \{/.exec(
        message,
      ) ?? [];
    return fault;
  }
  throw new Error('Nothing was found wrong.');
}
