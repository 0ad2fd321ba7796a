import { z } from 'zod';
import { AppError } from '../../platform/errors';
import { parseArguments } from './parse-arguments';
import { defineTool } from '../tool-definition';

const shape = {
  city: z.string().min(1),
  unit: z.enum(['C', 'F']).default('C'),
  note: z.string().nullable(),
  days: z
    .array(z.object({ date: z.iso.date(), hours: z.int().default(24) }))
    .default([]),
};
const toolOf = (parameters: z.ZodObject) =>
  defineTool({ name: 'weather', description: 'Tells it.', parameters }, {});
const weather = toolOf(z.object(shape));
const VALID = { city: 'Seoul', note: null };

const faultsOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ code: 'validation_failed', status: 422 });
    return (error as AppError).errors!;
  }
  throw new Error('no fault');
};
const pathsOf = (args: Record<string, unknown>) =>
  faultsOf(() => parseArguments(weather, args)).map(({ path }) => path);

describe(parseArguments.name, () => {
  it('fills in the defaults for omitted and null arguments, at any depth', () => {
    const day = { date: '2030-01-31', hours: null };
    const given = { ...VALID, unit: null, days: [day] };
    expect(parseArguments(weather, given)).toEqual({
      city: 'Seoul',
      unit: 'C',
      note: null,
      days: [{ date: '2030-01-31', hours: 24 }],
    });
    expect(parseArguments(weather, VALID)).toMatchObject({ days: [] });
  });

  it('reports every invalid argument', () => {
    const days = [{ date: '2030-01-31' }, { date: 'soon', hours: 1.5 }];
    expect(pathsOf({ city: '', note: 1, unit: 'K', days })).toEqual([
      'arguments.city',
      'arguments.unit',
      'arguments.note',
      'arguments.days.1.date',
      'arguments.days.1.hours',
    ]);
    expect(pathsOf({ note: null })).toEqual(['arguments.city']);
  });

  it('says what is wrong by a code, with the limit that is meant', () => {
    const days = [{ date: 'soon', hours: 'x' }];
    const given = { city: '', unit: 'K', days };
    expect(
      faultsOf(() => parseArguments(weather, given)).map(({ code, bound }) => ({
        code,
        bound,
      })),
    ).toEqual([
      { code: 'too_short', bound: 1 },
      { code: 'no_choice' },
      { code: 'required' },
      { code: 'wrong_format' },
      { code: 'wrong_type' },
    ]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'x'])(
    'refuses an argument named %s that the tool does not have',
    (name) => {
      for (const value of ['null', '{"polluted": true}']) {
        const args = JSON.parse(
          `{"city": "Seoul", "note": null, "${name}": ${value}}`,
        ) as Record<string, unknown>;
        expect(faultsOf(() => parseArguments(weather, args))).toEqual([
          {
            path: `arguments.${name}`,
            message: 'is not a known field',
            code: 'unknown_field',
          },
        ]);
      }
      expect({}).not.toHaveProperty('polluted');
    },
  );

  it('reports earlier errors together with its own, at most a hundred', () => {
    const before = [{ path: 'arguments.stream', message: 'must be true' }];
    expect(faultsOf(() => parseArguments(weather, VALID, before))).toEqual(
      before,
    );
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`x${n}`, n]),
    );
    const faults = faultsOf(() => parseArguments(weather, many, before));
    expect(faults).toHaveLength(100);
    expect(faults[0]).toEqual(before[0]);
  });

  it('calls the check of the tool last, with valid arguments', () => {
    const check = jest.fn();
    const asking = { ...weather, check };
    faultsOf(() => parseArguments(asking, {}));
    expect(check).not.toHaveBeenCalled();
    parseArguments(asking, VALID);
    expect(check).toHaveBeenCalledWith({ ...VALID, unit: 'C', days: [] });
  });

  it('applies refinements of the whole object', () => {
    const range = toolOf(
      z
        .object({ from: z.int(), to: z.int() })
        .refine(({ from, to }) => from <= to, {
          path: ['to'],
          message: 'must not be before from',
        }),
    );
    expect(parseArguments(range, { from: 1, to: 2 })).toEqual({
      from: 1,
      to: 2,
    });
    expect(faultsOf(() => parseArguments(range, { from: 2, to: 1 }))).toEqual([
      { path: 'arguments.to', message: 'must not be before from' },
    ]);
  });
});
