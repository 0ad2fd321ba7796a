import { api, read, type Schemas } from '../api/client';
import { count, money } from '../i18n/format';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { useKept } from '../ui/use-kept';
import { watchWords } from './watch.words';

type Direction = Schemas['DirectionDto'];

/** The plan of a run that waits for a decision. */
export function PlanReview({
  id,
  plan,
  onDecided,
}: {
  id: string;
  plan: Schemas['PlanDto'];
  onDecided: () => void;
}) {
  const w = watchWords();
  const [directions, setDirections] = useKept(`plan/${id}`, plan.directions);
  const change = (at: number, next: Partial<Direction>): void =>
    setDirections((before) =>
      before.map((one, n) => (n === at ? { ...one, ...next } : one)),
    );
  const { run, busy, error } = useAction(async (approve: boolean) => {
    const edited = directions.map(({ title, queries }) => ({
      title: title.trim(),
      queries: queries.map((one) => one.trim()).filter((one) => one !== ''),
    }));
    const isEdited =
      JSON.stringify(edited) !==
      JSON.stringify(
        plan.directions.map(({ title, queries }) => ({ title, queries })),
      );
    await read(
      api.POST('/api/v1/tool-invocations/{id}/plan', {
        params: { path: { id } },
        body: {
          approve,
          ...(approve && isEdited && { plan: { directions: edited } }),
        },
      }),
    ).finally(onDecided);
    setDirections(() => plan.directions);
  });
  const { estimate } = plan;
  return (
    <section class="card plan" aria-labelledby="plan-title">
      <h2 id="plan-title">{w.planTitle}</h2>
      <p class="muted tiny">{w.planAbout}</p>
      {estimate && (
        <p class="num">
          {w.estimate(
            count(estimate.searches),
            count(estimate.pages),
            count(estimate.minutes),
          )}
          {estimate.cost_usd !== null && ` · ${money(estimate.cost_usd)}`}
        </p>
      )}
      {directions.map(({ title, queries }, at) => (
        <fieldset key={at} class="direction">
          <div class="row">
            <input
              aria-label={w.direction(at + 1)}
              value={title}
              onInput={(event) =>
                change(at, { title: event.currentTarget.value })
              }
            />
            <button
              type="button"
              class="quiet"
              aria-label={w.removeDirection(at + 1)}
              disabled={directions.length === 1}
              onClick={() =>
                setDirections((before) => before.filter((_, n) => n !== at))
              }
            >
              ×
            </button>
          </div>
          <textarea
            rows={Math.max(2, queries.length)}
            aria-label={`${w.direction(at + 1)}: ${w.queries}`}
            value={queries.join('\n')}
            onInput={(event) =>
              change(at, { queries: event.currentTarget.value.split('\n') })
            }
          />
        </fieldset>
      ))}
      <button
        type="button"
        onClick={() =>
          setDirections((before) => [...before, { title: '', queries: [] }])
        }
      >
        {w.addDirection}
      </button>
      <ErrorNote error={error} />
      <div class="row end">
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => run(true)}
        >
          {w.approve}
        </button>
        <button
          type="button"
          class="danger"
          disabled={busy}
          onClick={() => run(false)}
        >
          {w.refuse}
        </button>
      </div>
    </section>
  );
}
