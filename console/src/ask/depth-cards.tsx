import { common } from '../i18n/common.words';
import { money } from '../i18n/format';
import { useLoaded } from '../ui/use-call';
import { useSettled } from '../ui/use-settled';
import { askWords } from './ask.words';
import { argumentsOf, type Draft, type ResearchArguments } from './draft';
import { type Estimate, estimateOf, optionsOf } from './estimates';

const DEPTHS = ['quick', 'standard', 'deep'] as const;
/** From the last key of a budget to the question. */
const TYPING_MS = 400;

/** How far the agent goes, with what that takes. A choice selects the agent; without one the service decides. */
export function DepthCards({
  draft,
  isKnown,
  onChange,
}: {
  draft: Draft;
  /** Whether there is an agent that could be asked. */
  isKnown: boolean;
  onChange: (change: Partial<Draft>) => void;
}) {
  const w = askWords();
  const chosen = JSON.stringify(optionsOf(argumentsOf(draft)));
  const settled = useSettled(chosen, TYPING_MS);
  const { data } = useLoaded(async () => {
    if (!isKnown) return undefined;
    const options = JSON.parse(settled) as ResearchArguments;
    return Promise.all(
      DEPTHS.map((depth) =>
        // Of options that are not valid yet nothing is known.
        estimateOf({ ...options, depth, engine: 'auto' }).catch(
          () => undefined,
        ),
      ),
    );
  }, [settled, isKnown]);
  return (
    <fieldset class="field">
      <legend>{w.depth}</legend>
      <div class="depths">
        {DEPTHS.map((depth, at) => {
          const isOn = draft.depth === depth;
          return (
            <button
              key={depth}
              type="button"
              class="depth"
              aria-pressed={isOn}
              onClick={() =>
                onChange({ depth: isOn ? 'auto' : depth, engine: 'auto' })
              }
            >
              <strong>{common().depth[depth]}</strong>
              <span>{w.depths[depth]}</span>
              <span class="muted tiny num">{mostOf(data?.[at])}</span>
            </button>
          );
        })}
      </div>
      <p class="muted tiny">{w.depthAbout}</p>
    </fieldset>
  );
}

/** The estimate of the service is what a run takes at most. */
function mostOf(found: Estimate | undefined): string {
  const w = askWords();
  if (!found?.estimate) return '';
  const { minutes, cost_usd } = found.estimate;
  return w.atMost(
    [
      w.minutes(minutes),
      cost_usd === null ? common().unknownCost : money(cost_usd),
    ].join(' · '),
  );
}
