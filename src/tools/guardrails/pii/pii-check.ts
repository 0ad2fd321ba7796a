import type { GuardrailMode } from '../../../config/config';
import type { Checker } from '../guardrail';
import { findPii, type Pii } from './pii-finder';
import { withSpans } from '../text-spans';
import { Tripwire } from '../tripwire';

const REPLACEMENTS: Record<Pii, string> = {
  email: '[e-mail]',
  phone: '[phone]',
  residentNumber: '[resident number]',
  card: '[card]',
  key: '[key]',
};

/** Redacts personal data and keys, or refuses the text. */
export function piiCheck(mode: GuardrailMode): Checker['check'] {
  return (text) => {
    const found = findPii(text);
    if (found.length === 0) return text;
    if (mode === 'refuse')
      throw new Tripwire(
        'This cannot be answered: it holds personal data or keys.',
      );
    return withSpans(text, found, ({ kind }) => REPLACEMENTS[kind]);
  };
}
