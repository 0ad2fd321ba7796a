import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  ValidateIf,
} from 'class-validator';
import { MAX_FAULTS, toDto } from './dto-check';
import { Nested } from './nested';

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

const leaf = { name: 'a' };
const faultsOf = async (given: object): Promise<string[]> =>
  (await toDto(Tree, given)).faults.map(({ path }) => path);

describe(toDto.name, () => {
  it('makes instances of every level', async () => {
    const { dto, faults } = await toDto(Tree, { leaves: [leaf], root: leaf });
    expect(faults).toEqual([]);
    expect(dto).toBeInstanceOf(Tree);
    expect((dto as Tree).leaves![0]).toBeInstanceOf(Leaf);
    expect((dto as Tree).root).toBeInstanceOf(Leaf);
  });

  it('names the size of a list and looks at none of its elements', async () => {
    const leaves = Array(10_001).fill({});
    expect(await faultsOf({ leaves })).toEqual(['leaves']);
  });

  it('names every bad element, those that are no objects too', async () => {
    const leaves = [leaf, 7, { name: 1 }, null, [leaf], { ...leaf, x: 1 }];
    expect(await faultsOf({ leaves })).toEqual([
      'leaves',
      'leaves.1',
      'leaves.2.name',
      'leaves.3',
      'leaves.4',
      'leaves.5.x',
    ]);
  });

  it('stops when there are as many faults as it would name', async () => {
    const leaves = Array(10_000).fill({});
    expect(await faultsOf({ leaves })).toHaveLength(MAX_FAULTS);
  });

  it('leaves alone what a condition leaves out', async () => {
    expect(await faultsOf({ leaves: [], only: { x: 1 } })).toEqual([]);
    expect(await faultsOf({ only: { x: 1 } })).toEqual(['only.x', 'only.name']);
    expect(await faultsOf({ leaves: [], root: null })).toEqual([]);
    expect(await faultsOf({ leaves: [], root: 7 })).toEqual(['root']);
  });

  it('takes no key that hides the rules', async () => {
    const hidden = { leaves: [{ ...leaf, constructor: Object, x: 1 }] };
    expect(await faultsOf(hidden)).toEqual([
      'leaves.0.constructor',
      'leaves.0.x',
    ]);
    const odd = JSON.parse('{"leaves":[],"toString":1}') as object;
    expect(await faultsOf(odd)).toEqual(['toString']);
  });

  it('lets the process do other things meanwhile', async () => {
    let turns = 0;
    const count = (): unknown => (turns += 1) && (timer = setImmediate(count));
    let timer: unknown = setImmediate(count);
    await toDto(Tree, { leaves: Array(10_000).fill(leaf) });
    clearImmediate(timer as NodeJS.Immediate);
    expect(turns).toBeGreaterThan(1);
  });
});
