import type { Schemas } from '../api/client';
import { safeLink } from '../ui/safe-link';
import { readWords } from './read.words';

/** Of what failed; a run may have tried hundreds. */
const SHOWN = 50;

type Evidence = Schemas['EvidenceDto'];

/** Searches and pages that failed; what no source says is a section of the report itself. */
export function NotFound({ evidence: { failed } }: { evidence: Evidence }) {
  const w = readWords();
  if (failed.length === 0) return null;
  return (
    <details class="not-found">
      <summary>
        {w.failed} <span class="num">{failed.length}</span>
      </summary>
      <ul class="tiny">
        {failed.slice(0, SHOWN).map(({ what, tried }, at) => (
          <li key={at}>
            <What text={what} />
            <span class="muted">
              {' '}
              {tried.map(({ fault }) => fault).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function What({ text }: { text: string }) {
  const link = safeLink(text);
  return link === null ? (
    <>{text}</>
  ) : (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}
