import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTRACT = join(__dirname, '../../clients/contract');
const RUN =
  'name args env dotenv stdin_base64 faults exit stderr stderr_contains stderr_lacks ' +
  'stdout stdout_file stdout_json stdout_json_first stdout_json_last stdout_contains output_file output_json ' +
  'play state keeps input';

interface Case {
  title: string;
  calls: object[];
  exchanges: { request: object; reply: object | string }[];
}
interface Run {
  name: string;
  args: string[];
  stdin_base64?: string;
  stdout_file?: string;
  output_file?: string;
  play?: string;
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(CONTRACT, path), 'utf8'));
const unknownKeys = (value: object, known: string): string[] =>
  Object.keys(value).filter((key) => !known.split(' ').includes(key));
const unique = (names: string[]): string[] => [...new Set(names)];

describe('the cases of the client contract', () => {
  const cases = readdirSync(join(CONTRACT, 'cases')).map(
    (file): [string, Case] => [file, read(`cases/${file}`) as Case],
  );

  it('contain no unknown fields', () => {
    const unknown = cases.flatMap(([file, { calls, exchanges, ...rest }]) =>
      [
        unknownKeys(rest, 'title recorded client model'),
        ...calls.map((call) =>
          unknownKeys(
            call,
            'method arguments options returns yields take raises',
          ),
        ),
        ...exchanges.flatMap(({ request, reply, ...more }) => [
          unknownKeys(more, 'under_way'),
          unknownKeys(request, 'method path headers absent body'),
          typeof reply === 'string'
            ? [reply].filter((kind) => !['reset', 'hang'].includes(kind))
            : unknownKeys(reply, 'status headers body text chunks end'),
        ]),
      ]
        .flat()
        .map((key) => `${file}: ${key}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have unique titles', () => {
    const titles = cases.map(([, { title }]) => title);
    expect(titles).toEqual(unique(titles));
  });
});

describe('the runs of the command line', () => {
  const lists = read('cli.json') as Record<string, Run[]>;
  const runs = Object.values(lists).flat();

  it('contain no unknown fields', () => {
    expect(Object.keys(lists)).toEqual(['usage', 'runs', 'prints', 'plays']);
    const unknown = runs.flatMap((run) =>
      unknownKeys(run, RUN).map((key) => `${run.name}: ${key}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have unique names', () => {
    const names = runs.map(({ name }) => name);
    expect(names).toEqual(unique(names));
  });

  it('have one replay file each, with a name that no case has', () => {
    const plays = lists.plays!.map(({ play }) => play!);
    expect(plays).toEqual(unique(plays));
    expect(runs.filter(({ play }) => play !== undefined)).toEqual(lists.plays);
    const files = readdirSync(join(CONTRACT, 'cli')).filter((file) =>
      file.endsWith('.json'),
    );
    expect(files).toEqual(plays.map((play) => `${play}.json`).toSorted());
    const both = files.filter((file) =>
      existsSync(join(CONTRACT, 'cases', file)),
    );
    expect(both).toEqual([]);
  });

  it('have all the files and the input they refer to', () => {
    const files = runs.flatMap((run) => [run.stdout_file, run.output_file]);
    const missing = files.filter(
      (file) => file !== undefined && !existsSync(join(CONTRACT, 'cli', file)),
    );
    expect(missing).toEqual([]);
    const silent = runs.filter(
      ({ args, stdin_base64 }) =>
        args.includes('-') && stdin_base64 === undefined,
    );
    expect(silent).toEqual([]);
  });
});
