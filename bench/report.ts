import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** In the sources: this runs as `dist/bench/report.js`. */
const REPORT = join(__dirname, '../../docs/performance.md');
const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

/** Writes the table between the markers of the report, with the versions it was measured on. */
export async function writeReport(table: string): Promise<void> {
  const text = await readFile(REPORT, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from)
    throw new Error(`${REPORT} does not hold ${BEGIN} and ${END}`);
  const before = text.slice(0, from + BEGIN.length);
  const found = `\n\n${machine()}\n\n${table}\n\n`;
  await writeFile(REPORT, before + found + text.slice(to));
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
