import { common } from '../i18n/common.words';
import { clock, count, money } from '../i18n/format';
import { Meter } from '../ui/meter';
import { useSeconds } from '../ui/use-seconds';
import { isFinal, type RunFollower } from './run.follower';
import { watchWords } from './watch.words';

/** What a run has used, against its limits if it has any. */
export function Limits({ run }: { run: RunFollower }) {
  const w = watchWords();
  const c = common();
  const record = run.record.value!;
  const isOver = isFinal(record.status);
  const now = useSeconds(!isOver);
  const { progress, cost, started_at, completed_at, limits } = record;
  // Events come before the record has their sum.
  const reported = (kind: string): number =>
    run.activities.value.filter((one) => one.kind === kind).length;
  const until = completed_at === null ? now : Date.parse(completed_at);
  const seconds =
    started_at === null ? 0 : (until - Date.parse(started_at)) / 1000;
  return (
    <section class="card">
      <h2>{limits ? w.limits : w.used}</h2>
      {cost && (
        <Meter
          label={c.cost}
          used={cost.spent}
          limit={limits?.max_cost_usd}
          format={money}
        />
      )}
      <Meter
        label={c.time}
        used={seconds}
        limit={limits?.max_seconds}
        format={clock}
      />
      <Meter
        label={c.searches}
        used={Math.max(progress?.searches ?? 0, reported('web_search'))}
        limit={limits?.max_searches}
        format={count}
      />
      <Meter
        label={c.pages}
        used={Math.max(progress?.pages_opened ?? 0, reported('open_page'))}
        limit={limits?.max_pages}
        format={count}
      />
      {!isOver && <p class="muted tiny">{w.leave}</p>}
    </section>
  );
}
