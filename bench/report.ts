import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measuredIn, sizing } from './sizing';

/** In the sources: this runs as `dist/bench/report.js`. */
const DOCS = join(__dirname, '../../docs');
const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

/** Writes the table between the markers of the report, with the versions it was measured on, and what follows for sizes. */
export async function writeReport(table: string): Promise<void> {
  await writeBetween('performance.md', `${machine()}\n\n${table}`);
  await writeBetween('sizing.md', sizing(measuredIn(table)));
}

/** What a page has between its markers. */
export function measuredPart(text: string): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from)
    throw new Error(`The page does not hold ${BEGIN} and ${END}`);
  return text.slice(from + BEGIN.length, to).trim();
}

async function writeBetween(page: string, content: string): Promise<void> {
  const path = join(DOCS, page);
  const text = await readFile(path, 'utf8');
  const old = measuredPart(text);
  await writeFile(
    path,
    text.replace(old, () => content),
  );
}

/** No host names. */
function machine(): string {
  const day = new Date().toISOString().slice(0, 10);
  const parts = [
    `${cpus().length} cores`,
    `Node ${process.versions.node}`,
    `Redis ${redisVersion()}`,
    `BullMQ ${versionOf('bullmq')}`,
    `undici ${versionOf('undici')}`,
    `NestJS ${versionOf('@nestjs/core')}`,
  ];
  return `\`npm run bench -- --write\` on ${day}: ${parts.join(', ')}.`;
}

function redisVersion(): string {
  const printed = execFileSync('redis-server', ['--version'], {
    encoding: 'utf8',
  });
  return /v=([\d.]+)/.exec(printed)?.[1] ?? 'unknown';
}

function versionOf(name: string): string {
  const manifest: unknown = require(`${name}/package.json`);
  return (manifest as { version: string }).version;
}
