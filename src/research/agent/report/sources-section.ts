import { sourceList } from '../../../report/source-list';
import type { AgentRun } from '../agent-run';
import type { ReadSource } from '../agent.types';
import { linkLabel, linkTarget } from '../text/clean-text';

const READ = 'read';
/** By the primary subtag of the language of the report. */
const READS: Record<string, string> = { ko: '읽은 날' };

/** What the numbers of a report stand for; empty where it has none. */
export function sourcesText(
  { brief, sources }: AgentRun,
  numbers: ReadonlyMap<number, number>,
): string {
  if (numbers.size === 0) return '';
  const [language] = brief!.language.split('-');
  const listed = [...numbers].map(([source, number]) => {
    const { url, title, date, fetchedAt } = sources[source - 1];
    const isPage = /^https?:/i.test(url);
    const read = `${READS[language] ?? READ} ${fetchedAt.slice(0, 10)}`;
    return {
      number,
      title: linkLabel(title, url),
      about: [...(isPage ? [new URL(url).host] : []), ...dateOf(date), read],
      ...(isPage && { target: linkTarget(url) }),
    };
  });
  return sourceList(listed, language);
}

/** As a search has it: a day, where it is one. */
function dateOf(date: ReadSource['date']): string[] {
  return date && /^\d{4}-\d{2}-\d{2}/.test(date) ? [date.slice(0, 10)] : [];
}
