import { named } from '../i18n/language';
import { useLoaded } from '../ui/use-call';
import { useSettled } from '../ui/use-settled';
import { common } from '../i18n/common.words';
import { count, money } from '../i18n/format';
import { askWords } from './ask.words';
import type { ResearchArguments } from './draft';
import { type Estimate, estimateOf, optionsOf } from './estimates';

/** From the last change of the form to the question. */
const PAUSE_MS = 400;

/** What a run with these options would take, before it is begun; nothing where they are not valid. */
export function EstimateNote({ args }: { args: ResearchArguments }) {
  const content = JSON.stringify(optionsOf(args));
  const settled = useSettled(content, PAUSE_MS);
  const { data: estimate } = useLoaded(
    () => estimateOf(JSON.parse(settled) as ResearchArguments),
    [settled],
  );
  return (
    <div class="estimate muted tiny num" aria-live="polite">
      {estimate && <Parts estimate={estimate} />}
    </div>
  );
}

function Parts({ estimate: found }: { estimate: Estimate }) {
  const w = askWords();
  const c = common();
  const { engine, estimate, budget_left } = found;
  const left = budget_left?.day_usd ?? budget_left?.month_usd;
  const most = estimate && [
    `${c.searches} ${count(estimate.searches)}`,
    `${c.pages} ${count(estimate.pages)}`,
    w.minutes(estimate.minutes),
    estimate.cost_usd === null ? c.unknownCost : money(estimate.cost_usd),
  ];
  const parts = [
    named(c.engine, engine),
    ...(most ? [w.atMost(most.join(', '))] : []),
    ...(left == null ? [] : [w.left(money(left))]),
  ];
  return <p>{parts.join(' · ')}</p>;
}
