import { api, read } from '../api/client';
import { common } from '../i18n/common.words';
import { money, moneyRange, timeRange } from '../i18n/format';
import { useLoaded } from '../ui/use-call';
import { askWords } from './ask.words';
import type { Draft } from './draft';
import type { Estimate } from './estimates';

const DEPTHS = ['quick', 'standard', 'deep'] as const;

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
  const { data } = useLoaded(
    async () =>
      isKnown ? read(api.GET('/api/v1/tool-invocations/estimate')) : undefined,
    [isKnown],
  );
  return (
    <fieldset class="field">
      <legend>{w.depth}</legend>
      <div class="depths">
        {DEPTHS.map((depth) => {
          const isOn = draft.depth === depth;
          const found = data?.data.find((one) => one.depth === depth);
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
              <span class="muted tiny num">{found && useOf(found)}</span>
            </button>
          );
        })}
      </div>
      <p class="muted tiny">{w.depthAbout}</p>
    </fieldset>
  );
}

/** What past runs took; where too few are known, what the service allows. */
function useOf({ typical, estimate }: Estimate): string {
  const w = askWords();
  const { unknownCost } = common();
  if (typical) {
    const { seconds, cost_usd } = typical;
    return w.usually(
      [
        timeRange(seconds.low, seconds.high),
        cost_usd ? moneyRange(cost_usd.low, cost_usd.high) : unknownCost,
      ].join(' · '),
    );
  }
  if (!estimate) return '';
  const { minutes, cost_usd } = estimate;
  const cost = cost_usd === null ? unknownCost : money(cost_usd);
  return w.atMost([w.minutes(minutes), cost].join(' · '));
}
