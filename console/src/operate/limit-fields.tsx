import type { Schemas } from '../api/client';
import { operateWords } from './operate.words';

/** As typed; empty: no limit. */
export interface LimitTexts {
  day: string;
  month: string;
  perMinute: string;
  concurrent: string;
}

export const NO_LIMITS: LimitTexts = {
  day: '',
  month: '',
  perMinute: '',
  concurrent: '',
};

type Limited = Pick<Schemas['KeyDto'], 'limits' | 'budget'>;

export function textsOf({ limits, budget }: Limited): LimitTexts {
  const text = (value: number | null | undefined): string =>
    value == null ? '' : String(value);
  return {
    day: text(budget?.day_usd),
    month: text(budget?.month_usd),
    perMinute: text(limits?.requests_per_minute),
    concurrent: text(limits?.concurrent_research),
  };
}

/** @param before limits that this form does not show stay. */
export function limitsOf(texts: LimitTexts, before?: Limited): Limited {
  const value = (text: string): number | null =>
    text === '' ? null : Number(text);
  return {
    limits: {
      ...before?.limits,
      requests_per_minute: value(texts.perMinute),
      concurrent_research: value(texts.concurrent),
    },
    budget: {
      ...before?.budget,
      day_usd: value(texts.day),
      month_usd: value(texts.month),
    },
  };
}

export function LimitFields({
  texts,
  onChange,
}: {
  texts: LimitTexts;
  onChange: (texts: LimitTexts) => void;
}) {
  const w = operateWords();
  const fields = [
    ['day', w.dayUsd, 0.01],
    ['month', w.monthUsd, 0.01],
    ['perMinute', w.perMinute, 1],
    ['concurrent', w.concurrent, 1],
  ] as const;
  return (
    <>
      {fields.map(([name, label, step]) => (
        <label key={name} class="field">
          <span>{label}</span>
          <input
            type="number"
            min={step}
            step={step}
            placeholder={w.noLimit}
            value={texts[name]}
            onInput={(event) =>
              onChange({ ...texts, [name]: event.currentTarget.value })
            }
          />
        </label>
      ))}
    </>
  );
}
