import {
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { keepCollectedRules, validatePresent } from './validation-rules';

class Parent {
  @IsString() name: string;
  @IsOptional() @IsIn(['a']) kind?: string;
  @IsOptional({ groups: ['strict'] })
  @IsString({ groups: ['strict'] })
  note?: unknown;
}

class Child extends Parent {
  @IsIn(['b']) declare kind: string;
}

const invalid = (object: object, groups?: string[]): string[] =>
  validateSync(object, { groups, strictGroups: true }).map(
    ({ property }) => property,
  );
const filled = <T extends object>(type: new () => T, fields: object): T =>
  Object.assign(new type(), fields);

beforeAll(() => keepCollectedRules());

describe(keepCollectedRules.name, () => {
  const before = ['name', 'kind', 'note'].map((property) =>
    invalid(filled(Child, { name: 'n', kind: 'b', [property]: 1 })),
  );

  it('leaves every verdict as it was, also on the second object', () => {
    for (const _ of [1, 2])
      expect(
        ['name', 'kind', 'note'].map((property) =>
          invalid(filled(Child, { name: 'n', kind: 'b', [property]: 1 })),
        ),
      ).toEqual(before);
    expect(before).toEqual([['name'], ['kind'], []]);
  });

  it('keeps the rules of a class apart from those of its parent', () => {
    expect(invalid(filled(Parent, { name: 'n', kind: 'a' }))).toEqual([]);
    expect(invalid(filled(Child, { name: 'n', kind: 'a' }))).toEqual(['kind']);
  });

  it('still collects the rules of groups for each validation', () => {
    const child = filled(Child, { name: 1, kind: 'b', note: 1 });
    expect(invalid(child, ['strict'])).toEqual(['note']);
    expect(invalid(child)).toEqual(['name']);
  });
});

class Fields {
  @IsString() required: unknown;
  @IsOptional() @IsString() optional?: unknown;
  @ValidateIf(({ optional }: Fields) => optional === undefined)
  @IsString()
  conditional?: unknown;
}

class Inner {
  @IsOptional() @IsString() name?: unknown;
}

class Outer {
  @IsOptional() @IsString() name?: unknown;
  @ValidateBy({
    name: 'inner',
    validator: {
      validate: (inner: Inner) => validateSync(inner).length === 0,
    },
  })
  inner: Inner;
}

describe(validatePresent.name, () => {
  const options = { whitelist: true, forbidNonWhitelisted: true };
  const values = [undefined, null, 'text', 7];
  const all = values.flatMap((required) =>
    values.flatMap((optional) =>
      values.flatMap((conditional) =>
        [{}, { unknown: 1 }, { unknown: undefined }].map((more) =>
          filled(Fields, { required, optional, conditional, ...more }),
        ),
      ),
    ),
  );

  it.each(all)('finds what class-validator finds: %j', (object) => {
    expect(validatePresent(object, options)).toEqual(
      validateSync(object, options),
    );
  });

  it('knows what is absent from the object, not from others that a rule validates', () => {
    const outer = filled(Outer, { inner: filled(Inner, { name: 7 }) });
    expect(validateSync(outer.inner)).toHaveLength(1);
    expect(validatePresent(outer, options)).toHaveLength(1);
  });

  it('finds faults and none among them', () => {
    const faults = all.map((object) => validatePresent(object, options).length);
    expect(new Set(faults)).toEqual(new Set([0, 1, 2, 3]));
  });
});
