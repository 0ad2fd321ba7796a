import { maxLength, minLength, validateSync } from 'class-validator';
import fc from 'fast-check';
import { MaxLength, MinLength } from './text-length';

class Note {
  @MaxLength(5) @MinLength(2) text: unknown;
}

function isTaken(text: unknown): boolean {
  return validateSync(Object.assign(new Note(), { text })).length === 0;
}

describe(MaxLength.name, () => {
  it('counts like class-validator', () => {
    const unit = fc.constantFrom('a', '한', '🚀', '\ufe0f', '\ufe0e', '\ud83d');
    const text = fc
      .array(unit, { maxLength: 9 })
      .map((units) => units.join(''));
    fc.assert(
      fc.property(text, (value) => {
        expect(isTaken(value)).toBe(maxLength(value, 5) && minLength(value, 2));
      }),
    );
  });

  it.each([7, null, undefined, {}, ['a']])('refuses %j', (value) => {
    expect(isTaken(value)).toBe(false);
  });
});
