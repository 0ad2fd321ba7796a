import { nearestName } from './nearest-name';

const OURS = /^(RELAY|LITELLM|RESEARCH)_/i;
/** Variables that are read before the configuration, or by the clients of this project, which may share the file. */
const READ_ELSEWHERE = ['RELAY_ENV_FILE', 'RELAY_BASE_URL', 'RELAY_API_KEY'];
/** Variables that Docker and Kubernetes set for linked services. */
const SERVICE_LINK = /_(SERVICE_(HOST|PORT\w*)|(PORT_)?\d+_(TCP|UDP)\w*|PORT)$/;
/** Variables of other programs for the same purpose. */
const ELSEWHERE: Record<string, string> = {
  OPENAI_API_KEY: 'LITELLM_API_KEY',
  OPENAI_BASE_URL: 'LITELLM_BASE_URL',
  OPENAI_API_BASE: 'LITELLM_BASE_URL',
  ALL_PROXY: 'HTTPS_PROXY',
  all_proxy: 'HTTPS_PROXY',
};
const MAX_NAME_LENGTH = 100;

/** One warning for each variable that is set but never read, such as a misspelt one. Never contains a value. */
export function unknownVariables(
  source: NodeJS.ProcessEnv,
  known: ReadonlySet<string>,
): string[] {
  const isSet = (name: string) => (source[name] ?? '').trim() !== '';
  return Object.keys(source)
    .filter((name) => name.length <= MAX_NAME_LENGTH && isSet(name))
    .filter((name) => !known.has(name) && !READ_ELSEWHERE.includes(name))
    .flatMap((name) => {
      const instead = ELSEWHERE[name];
      if (instead !== undefined)
        return isSet(instead) || isSet(instead.toLowerCase())
          ? []
          : `${name} is set but not used: Sonde reads ${instead}`;
      const near = nearestName(name, known);
      if (near !== undefined)
        return `${name} is not a variable of Sonde; did you mean ${near}?`;
      return OURS.test(name) && !SERVICE_LINK.test(name)
        ? `${name} is not a variable of Sonde`
        : [];
    })
    .sort();
}
