import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ERRORS } from '../src/platform/errors';
import {
  blocksOf,
  docPages,
  proseOf,
  readPage,
  ROOT,
} from './support/docs/docs';

const PAGES = docPages();
const FOLDERS = 'src|test|docs|script|clients|sandbox|examples|bench|eval';
/** A path of the project in backticks, without a placeholder. */
const PATH = new RegExp(`\`((?:${FOLDERS})/[\\w./-]+)\``, 'g');

const AREAS = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Every file and folder, as `/path` from the root. */
function below(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true }).map(
    (path) => `/${folder}/${String(path).split(sep).join('/')}`,
  );
}

/** As GitHub makes them of headings. */
function anchors(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the docs', () => {
  it.each([
    ['README.md', 200],
    ['CONTRIBUTING.md', 120],
  ])('%s has at most %i lines', (page, most) => {
    expect(readPage(page).trimEnd().split('\n').length).toBeLessThanOrEqual(
      most,
    );
  });

  it.each(PAGES)('%s links only to what is there', (page) => {
    const links = [...proseOf(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => {
      const [file, anchor] = link.split('#');
      const path = file ? relative(ROOT, join(ROOT, dirname(page), file)) : page; // prettier-ignore
      if (!existsSync(join(ROOT, path))) return true;
      return anchor && !anchors(readPage(path)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(PAGES)('%s names only files that are there', (page) => {
    const named = [...proseOf(readPage(page)).matchAll(PATH)]
      .map(([, path]) => path)
      // One that the page has its reader save, and a program that a build makes.
      .filter(
        (path) =>
          !/^src\/tools\/built-in\/(roll-dice|project-names)/.test(path),
      )
      .filter((path) => !existsSync(join(ROOT, path)));
    expect(named).toEqual([]);
  });

  it.each([
    'src/ARCHITECTURE.md',
    ...AREAS.map((area) => `src/${area}/README.md`),
  ])('%s names only files and folders that are there', (page) => {
    const all = [...below('src'), ...below('console')];
    const named = [...proseOf(readPage(page)).matchAll(/`([^`]+)`/g)]
      .map(([, name]) => name.replace(/\/$/, ''))
      .filter((name) => name.includes('/') || /^[a-z.-]+\.ts$/.test(name))
      .filter((name) => !/[\s<@]|^\/|^sandbox/.test(name));
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.filter((name) => !all.some((path) => path.endsWith(`/${name}`))),
    ).toEqual([]);
  });

  it('has a page of each area, with what it is, its face, what it may import, and where a change goes', () => {
    for (const area of AREAS)
      expect(
        [...readPage(`src/${area}/README.md`).matchAll(/^#+ (.+)$/gm)].map(
          ([, heading]) => heading,
        ),
      ).toEqual([
        area,
        'Its face',
        'What it may import',
        'Where a change goes',
      ]);
  });

  it('are where .env.example says', () => {
    const named = readPage('.env.example').match(/docs\/[\w-]+\.md/g)!;
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('explain every variable of .env.example once', () => {
    const known = [...readPage('.env.example').matchAll(/^#([A-Z_]+)=/gm)];
    const rows = readPage('docs/configuration.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => line.split('|')[1].match(/[A-Z][A-Z_]+/g)!);
    expect(rows.sort()).toEqual([...new Set(known.map(([, n]) => n))].sort());
  });

  it('explain every error code, with its status and whether it may be tried again', () => {
    const rows = readPage('docs/errors.md').matchAll(
      /^\| `(\w+)` +\| (\d+) +\| (yes|no) +\|/gm,
    );
    const explained = [...rows].map(([, code, status, retryable]) => [
      code,
      [Number(status), retryable === 'yes'],
    ]);
    expect(Object.fromEntries(explained)).toEqual(
      Object.fromEntries(
        Object.entries(ERRORS).map(([code, [status, retryable]]) => [
          code,
          [status, retryable],
        ]),
      ),
    );
  });

  it.each(PAGES)('%s has no comment in a line to paste', (page) => {
    // The shell of macOS takes one that is typed for arguments.
    const commented = blocksOf(readPage(page))
      .filter(({ language }) => language === 'sh')
      .filter(({ text }) => / # /.test(text));
    expect(commented).toEqual([]);
  });
});
