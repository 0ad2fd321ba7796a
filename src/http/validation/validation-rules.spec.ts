import { IsIn, IsOptional, IsString, validateSync } from 'class-validator';
import { keepCollectedRules } from './validation-rules';

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

describe('keepCollectedRules', () => {
  const before = ['name', 'kind', 'note'].map((property) =>
    invalid(filled(Child, { name: 'n', kind: 'b', [property]: 1 })),
  );

  beforeAll(() => keepCollectedRules());

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
