import type { Language } from '../../corpus/language';
import type { Source } from '../../corpus/search';
import { searchCorpus } from '../../corpus/search';
import type { Ask } from '../request/ask';

/** Pages of the bundled corpus at the allowed domains and their subdomains. */
export function searchWeb(
  { domains }: Pick<Ask, 'domains'>,
  question: string,
  language: Language,
): Source[] {
  const found = searchCorpus(question, language);
  if (!domains) return found;
  return found.filter(({ url }) => {
    const host = url === null ? '' : new URL(url).hostname;
    return domains.some(
      (domain) => host === domain || host.endsWith(`.${domain}`),
    );
  });
}
