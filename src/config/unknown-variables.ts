import { nearestName } from './nearest-name';

const OURS = /^(RELAY|LITELLM|RESEARCH)_/i;
/** Read before the configuration, or by the clients of this project, which may share the file. */
const ELSEWHERE = ['RELAY_ENV_FILE', 'RELAY_BASE_URL', 'RELAY_API_KEY'];
/** What Docker and Kubernetes set for a service of such a name. */
const OF_A_LINK = /_(SERVICE_(HOST|PORT\w*)|(PORT_)?\d+_(TCP|UDP)\w*|PORT)$/;
const OPENAI: Record<string, string> = {
  OPENAI_API_KEY: 'LITELLM_API_KEY',
  OPENAI_BASE_URL: 'LITELLM_BASE_URL',
  OPENAI_API_BASE: 'LITELLM_BASE_URL',
};
const LONGEST = 100;

/** One line for each variable that is set, but that nothing reads: a misspelt one would pass in silence. Never a value. */
export function unknownVariables(
  source: NodeJS.ProcessEnv,
  known: ReadonlySet<string>,
): string[] {
  const isSet = (name: string) => (source[name] ?? '').trim() !== '';
  return Object.keys(source)
    .filter((name) => name.length <= LONGEST && isSet(name))
    .filter((name) => !known.has(name) && !ELSEWHERE.includes(name))
    .flatMap((name) => {
      const instead = OPENAI[name];
      if (instead !== undefined)
        return isSet(instead)
          ? []
          : `${name} is set, but not read: Sonde reads ${instead}`;
      const near = nearestName(name, known);
      if (near !== undefined)
        return `${name} is no variable of Sonde: is ${near} meant?`;
      return OURS.test(name) && !OF_A_LINK.test(name)
        ? `${name} is no variable of Sonde`
        : [];
    })
    .sort();
}
