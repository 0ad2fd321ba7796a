import type { GuardrailMode } from '../config/config';
import type { Checker } from './guardrail';
import { LinkScan } from './link.scan';
import { Tripwire } from './tripwire';
import { urlKeys } from './url.key';

/** Holds an answer to the pages that were consulted: takes out links to any other, or refuses. */
export function citationsCheck(mode: GuardrailMode): Checker['check'] {
  return (text, { consulted }) => {
    const known = new Set([...consulted].flatMap(urlKeys));
    const scan = new LinkScan(text, (url) =>
      urlKeys(url).some((key) => known.has(key)),
    );
    const left = scan.run();
    if (mode === 'refuse' && scan.removed > 0)
      throw new Tripwire('The answer cited a source that was not consulted.');
    return left;
  };
}
