const text = { type: 'string' } as const;

export const SETTING_FLAGS = {
  limits: text,
  budget: text,
  weight: text,
  retention: text,
  precedence: text,
};

type Flags = Partial<Record<keyof typeof SETTING_FLAGS, string>>;

/** The settings of a key as flags have them, for the rules of the API to check. */
export function settingsIn(flags: Flags): Record<string, unknown> {
  const { limits, budget, weight, retention, precedence } = flags;
  return {
    ...(limits && { limits: numbersIn(limits) }),
    ...(budget && { budget: numbersIn(budget) }),
    ...(weight && { weight: numberIn(weight) }),
    ...(retention && { retention_seconds: numberIn(retention) }),
    ...(precedence && { precedence: flagIn(precedence) }),
  };
}

export function unlessNone(given: string): string | null {
  return given === 'none' ? null : given;
}

/** `name:number,name:none`, or `none`. */
function numbersIn(given: string): Record<string, unknown> | null {
  if (given === 'none') return null;
  const entries = given.split(',').map((item) => {
    const [name, value = ''] = item.split(':');
    return [name, numberIn(value)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function numberIn(given: string): number | null {
  if (given === 'none') return null;
  return /^\d/.test(given) ? Number(given) : NaN;
}

function flagIn(given: string): unknown {
  if (given === 'none') return null;
  return given === 'true' || given === 'false' ? given === 'true' : given;
}
