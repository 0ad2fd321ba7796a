import { safeLink } from '../ui/safe-link';
import { activityText } from './activity.words';
import type { Activity } from './run.follower';
import type { Step } from './steps';
import { watchWords } from './watch.words';

/** Of a step that goes on; the record has the sums. */
const SHOWN = 12;

/** The plan as a time line; the step that is under way is unfolded. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const w = watchWords();
  return (
    <ol class="steps" aria-label={w.steps}>
      {steps.map((one, at) => (
        <li
          key={`${one.kind}/${at}`}
          class={one.state}
          aria-current={one.state === 'now' ? 'step' : undefined}
        >
          <details open={one.state === 'now'}>
            <summary>
              <span>{titleOf(one)}</span>
              <span class="muted tiny">
                {one.activities.length > 0 && one.state !== 'now'
                  ? `${w[one.state]} · ${one.activities.length}`
                  : w[one.state]}
              </span>
            </summary>
            {one.activities.length > 0 && (
              <ul class="activities">
                {one.activities.slice(-SHOWN).map((activity, n) => (
                  <ActivityRow key={n} activity={activity} />
                ))}
              </ul>
            )}
          </details>
        </li>
      ))}
    </ol>
  );
}

function ActivityRow({
  activity: { kind, detail, notes },
}: {
  activity: Activity;
}) {
  const w = watchWords();
  const link = kind === 'open_page' ? safeLink(detail) : null;
  return (
    <li>
      <span class="muted tiny">{w.kind[kind] ?? kind}</span>
      {link ? (
        <a href={link} target="_blank" rel="noopener noreferrer nofollow">
          {detail}
        </a>
      ) : (
        <span>
          {activityText(detail)}
          {notes !== undefined && (
            <span class="muted"> · {w.notes(notes)}</span>
          )}
        </span>
      )}
    </li>
  );
}

function titleOf({ kind, title }: Step): string {
  const w = watchWords();
  if (title !== null) return title;
  return kind === 'direction' ? w.plan : w[kind];
}
