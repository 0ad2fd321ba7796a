import { api, read, type Invocation } from '../api/client';
import { hrefOf } from '../router';
import { StatusPill } from '../ui/status-pill';
import { useLoaded } from '../ui/use-call';
import { readWords } from './read.words';

/** Of a report; each is read for its title. */
const SHOWN = 10;

/** The report that a report follows up, and those that follow it up. */
export function Thread({
  record: { parent, follow_ups },
}: {
  record: Invocation;
}) {
  const w = readWords();
  const shown = follow_ups.slice(-SHOWN);
  const { data } = useLoaded(
    () => Promise.all(shown.map(runOf)),
    [shown.join()],
  );
  const found = (data ?? []).filter((one) => one !== undefined);
  return (
    <>
      {parent !== null && (
        <p class="tiny">
          <a href={hrefOf('read', parent)}>{w.parent}</a>
        </p>
      )}
      {found.length > 0 && (
        <section class="thread" aria-labelledby="thread">
          <h2 id="thread">{w.followUps}</h2>
          <ul class="entries">
            {found.map((one) => (
              <li key={one.invocation_id}>
                <a href={hrefOf('read', one.invocation_id)}>
                  {one.title ?? w.untitled}
                </a>
                <div class="row tiny">
                  <StatusPill status={one.status} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Undefined for one that has expired. */
async function runOf(id: string): Promise<Invocation | undefined> {
  try {
    const of = { params: { path: { id } } };
    return await read(api.GET('/api/v1/tool-invocations/{id}', of));
  } catch {
    return undefined;
  }
}
