import { type HostedTools, isPrivate } from '../../config/files/hosted-tools';
import { hostedToolset } from '../../llm/responses/hosted-toolset';
import type { ModelProfile } from '../../llm/models/model-profile';

export const DATA_SOURCES = [
  'web',
  'private',
  'web_then_private',
  'web_and_private',
] as const;
export type DataSources = (typeof DATA_SOURCES)[number];

/** Names of the hosted tools of one run; of two phases, those of the second: the first is a run of its own. */
export function toolsFor(
  requested: DataSources | undefined,
  { tools, research }: HostedTools,
): string[] {
  const isOwn = (name: string) => isPrivate(tools.get(name)!.kind);
  switch (requested ?? defaultSources({ tools, research })) {
    case 'web':
      return research.filter((name) => !isOwn(name));
    case 'private':
    case 'web_then_private':
      return research.filter((name) => name !== 'web_search');
    case 'web_and_private':
      return [...research];
  }
}

/** Why a model of this profile cannot use these sources; undefined if it can. */
export function sourcesFault(
  requested: DataSources | undefined,
  profile: ModelProfile,
  hosted: HostedTools,
): string | undefined {
  const sources = requested ?? defaultSources(hosted);
  if (sources === 'web_and_private' && !hosted.mixedSources)
    return 'could send content of private sources to the web; web_then_private uses the one after the other';
  if (profile.completions)
    return sources === 'web'
      ? undefined
      : 'needs a research model that takes private sources';
  const offered = toolsFor(requested, hosted).filter(
    (name) => hostedToolset([name], profile, hosted).tools.length > 0,
  );
  const has = (test: (name: string) => boolean) => offered.some(test);
  if (
    sources !== 'web' &&
    !has((name) => isPrivate(hosted.tools.get(name)!.kind))
  )
    return 'needs private sources (RELAY_HOSTED_TOOLS_CONFIG) and a research model that takes them';
  // Without web search in the configuration, only an explicit request for the web is a fault.
  const offersWeb =
    sources === 'web_then_private' || sources === 'web_and_private'
      ? hosted.research.includes('web_search')
      : true;
  const missesWeb =
    requested === 'web' &&
    hosted.research.length > 0 &&
    !hosted.research.includes('web_search');
  return offersWeb && !missesWeb
    ? undefined
    : 'needs the web search, which research is not configured to use';
}

/** The sources of a run whose caller names none: the web, unless only private sources are configured. */
function defaultSources({
  tools,
  research,
}: Pick<HostedTools, 'tools' | 'research'>): DataSources {
  const own = research.some((name) => isPrivate(tools.get(name)!.kind));
  return own && !research.includes('web_search') ? 'private' : 'web';
}
