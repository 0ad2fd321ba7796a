import { nearestName } from './nearest-name';
import { unknownVariables } from './unknown-variables';

const KNOWN = new Set([
  'RELAY_API_KEYS',
  'RELAY_PORT',
  'LITELLM_BASE_URL',
  'LITELLM_API_KEY',
  'RESEARCH_MEMORY_MB',
  'REDIS_URL',
]);
const warn = (env: Record<string, string>) => unknownVariables(env, KNOWN);

describe(unknownVariables.name, () => {
  it.each([
    ['LITELM_BASE_URL', 'LITELLM_BASE_URL'],
    ['RELAY_APIKEYS', 'RELAY_API_KEYS'],
    ['RELAY_API_KYES', 'RELAY_API_KEYS'],
    ['relay_api_keys', 'RELAY_API_KEYS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['RESERCH_MEMORY_MB', 'RESEARCH_MEMORY_MB'],
  ])(
    'suggests for %s the variable %s, and never shows a value',
    (name, near) => {
      expect(warn({ [name]: 's3cret' })).toEqual([
        `${name} is not a variable of Sonde; did you mean ${near}?`,
      ]);
    },
  );

  it.each(['RELAY_FANCY_THING', 'LITELLM_MASTER', 'RESEARCH_X'])(
    'warns that %s is not a variable',
    (name) => {
      expect(warn({ [name]: '1' })).toEqual([
        `${name} is not a variable of Sonde`,
      ]);
    },
  );

  it.each([
    ['OPENAI_API_KEY', 'LITELLM_API_KEY'],
    ['OPENAI_BASE_URL', 'LITELLM_BASE_URL'],
  ])('says that %s is not read, unless %s is set', (name, instead) => {
    expect(warn({ [name]: 's3cret' })).toEqual([
      `${name} is set but not used: Sonde reads ${instead}`,
    ]);
    expect(warn({ [name]: 's3cret', [instead]: 'x' })).toEqual([]);
  });

  it.each([
    'PATH',
    'HOME',
    'REDIS_HOST',
    'NODE_ENV',
    'RELAY_ENV_FILE',
    'RELAY_BASE_URL',
    'RELAY_API_KEY',
    'RELAY_SERVICE_HOST',
    'RELAY_SERVICE_PORT_HTTP',
    'RELAY_PORT_8080_TCP_ADDR',
  ])('has nothing to say of %s', (name) => {
    expect(warn({ [name]: 'x' })).toEqual([]);
  });

  it('never warns of an empty variable', () => {
    expect(warn({ RELAY_APIKEYS: ' ' })).toEqual([]);
  });
});

describe(nearestName.name, () => {
  it('returns the nearest of several names, and none that is too different', () => {
    const names = ['deep_research', 'search_documents'];
    expect(nearestName('deep_reserch', names)).toBe('deep_research');
    expect(nearestName('weather', names)).toBeUndefined();
  });
});
