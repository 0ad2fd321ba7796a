import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Min,
  ValidateIf,
} from 'class-validator';
import { MAX_FIELD_ERRORS, toDto } from './dto-check';
import { Nested } from './nested-dto';
import { MaxLength } from './text-length';
import { MergePatch } from './validation-rules';

class Leaf {
  @IsString() name: string;
}

class Tree {
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10_000)
  @IsObject({ each: true })
  @Nested(() => Leaf)
  leaves?: Leaf[];

  @IsOptional()
  @IsObject()
  @Nested(() => Leaf)
  root?: Leaf | null;

  @ValidateIf(({ leaves }: Tree) => leaves === undefined)
  @IsObject()
  @Nested(() => Leaf)
  only?: Leaf;
}

class Bounds {
  @IsString() @MaxLength(5) text: string;
  @IsInt() @Min(1) count: number;
  @IsString({ each: true }) list: string[];
  @IsIn(['a']) kind: string;
  @Matches(/^[a-z]+$/) name: string;
}

class Defaults {
  @IsOptional() size: number | null = 7;
  @IsOptional() root?: Leaf | null;
}

@MergePatch()
class Change extends Defaults {}

const leaf = { name: 'a' };
const errorsOf = async (given: object): Promise<string[]> =>
  (await toDto(Tree, given)).errors.map(({ path }) => path);

describe(toDto.name, () => {
  it('takes a null for an absent field, so that its default applies', async () => {
    const given = { size: null, root: null };
    expect(await toDto(Defaults, given)).toEqual({
      dto: { size: 7, root: undefined },
      errors: [],
    });
    expect((await toDto(Change, given)).dto).toEqual({
      size: null,
      root: null,
    });
    for (const required of [{ name: null }, { other: null }]) {
      const { errors } = await toDto(Leaf, required);
      expect(errors).not.toEqual([]);
    }
  });

  it('refuses what would change the object itself', async () => {
    const given = JSON.parse(
      '{"root": {"name": "a", "__proto__": {"b": 1}, "constructor": {}}, "only": {"name": "a"}}',
    ) as object;
    expect(await errorsOf(given)).toEqual([
      'root.__proto__',
      'root.constructor',
    ]);
  });

  it('creates instances at every level', async () => {
    const { dto, errors } = await toDto(Tree, { leaves: [leaf], root: leaf });
    expect(errors).toEqual([]);
    expect(dto).toBeInstanceOf(Tree);
    expect((dto as Tree).leaves![0]).toBeInstanceOf(Leaf);
    expect((dto as Tree).root).toBeInstanceOf(Leaf);
  });

  it('reports the size of a list without checking its elements', async () => {
    const leaves = Array(10_001).fill({});
    expect(await errorsOf({ leaves })).toEqual(['leaves']);
  });

  it('reports every invalid element, also those that are no objects', async () => {
    const leaves = [leaf, 7, { name: 1 }, null, [leaf], { ...leaf, x: 1 }];
    expect(await errorsOf({ leaves })).toEqual([
      'leaves',
      'leaves.1',
      'leaves.2.name',
      'leaves.3',
      'leaves.4',
      'leaves.5.x',
    ]);
  });

  it('says what is wrong by a code, with the limit that is meant', async () => {
    const codesOf = async (given: object) =>
      (await toDto(Bounds, given)).errors.map(({ path, code, bound }) => ({
        path,
        code,
        bound,
      }));
    const given = { text: 'abcdef', count: 0, list: [1], kind: 'b', more: 1 };
    expect(await codesOf({ ...given, name: 'a b' })).toEqual([
      { path: 'more', code: 'unknown_field' },
      { path: 'text', code: 'too_long', bound: 5 },
      { path: 'count', code: 'too_small', bound: 1 },
      { path: 'list', code: 'wrong_type' },
      { path: 'kind', code: 'no_choice' },
      { path: 'name', code: 'wrong_format' },
    ]);
    expect(await codesOf({ ...given, text: 7 })).toContainEqual({
      path: 'text',
      code: 'wrong_type',
    });
    const right = { text: 'a', count: 1, list: [], kind: 'a' };
    expect(await codesOf(right)).toEqual([{ path: 'name', code: 'required' }]);
  });

  it('stops at the maximum number of reported errors', async () => {
    const leaves = Array(10_000).fill({});
    expect(await errorsOf({ leaves })).toHaveLength(MAX_FIELD_ERRORS);
  });

  it('skips fields that a condition excludes', async () => {
    expect(await errorsOf({ leaves: [], only: { x: 1 } })).toEqual([]);
    expect(await errorsOf({ only: { x: 1 } })).toEqual(['only.x', 'only.name']);
    expect(await errorsOf({ leaves: [], root: null })).toEqual([]);
    expect(await errorsOf({ leaves: [], root: 7 })).toEqual(['root']);
  });

  it('refuses a key that hides the rules', async () => {
    const hidden = { leaves: [{ ...leaf, constructor: Object, x: 1 }] };
    expect(await errorsOf(hidden)).toEqual([
      'leaves.0.constructor',
      'leaves.0.x',
    ]);
    const odd = JSON.parse('{"leaves":[],"toString":1}') as object;
    expect(await errorsOf(odd)).toEqual(['toString']);
  });

  it('yields to the event loop during a long check', async () => {
    let turns = 0;
    const count = (): unknown => (turns += 1) && (timer = setImmediate(count));
    let timer: unknown = setImmediate(count);
    await toDto(Tree, { leaves: Array(10_000).fill(leaf) });
    clearImmediate(timer as NodeJS.Immediate);
    expect(turns).toBeGreaterThan(1);
  });
});
