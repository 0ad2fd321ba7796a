import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../processes/free-port';
import { blocksOf, readPage, ROOT } from './docs';

interface Served {
  readonly child: ChildProcess;
  /** Of a Sonde; empty of anything else. */
  url: string;
}

/** What a reader's own folder has in place of the project's. */
const OWN = new Set(['.env', '.git', 'data']);
const START = 'npm start';
/** Fields whose value differs from run to run. */
const VARIES = /(?:_id|_token|_at|_cursor|^time|^timestamp|^ticket|^id)$/;

/** Follows pages in a shell, as a user does in a folder of Sonde that has just been built. */
export class Reader {
  /** Command -> what it started: each stays for all pages that start it. */
  private readonly services = new Map<string, Served>();
  /** Of the Sonde that the page has started last. */
  private url = '';

  private constructor(
    private readonly folder: string,
    /** A free one, in place of that of the example receiver. */
    private readonly receiverPort: number,
  ) {}

  static async start(): Promise<Reader> {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-docs-'));
    for (const name of readdirSync(ROOT))
      if (!OWN.has(name)) symlinkSync(join(ROOT, name), join(folder, name));
    // A reply that is an HTTP error fails its block.
    writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nmax-time = 120\n');
    return new Reader(folder, await freePort());
  }

  /** Runs the page's blocks in order; throws at the first that fails, or whose output is not as shown. */
  async follow(page: string): Promise<void> {
    const shell = spawn('bash', ['-eo', 'pipefail'], this.options());
    this.url = '';
    try {
      await this.run(page, shell);
    } finally {
      shell.kill('SIGKILL');
    }
  }

  /** What is shown and not in the output. Left out of the comparison: ids, times, numbers, and what stands for more (…). */
  static missing(shown: string, output: string): string[] {
    const lines = new Set(output.split('\n').map((line) => line.trim()));
    const wanted = shown.split('\n').flatMap((line) => wantedOf(line.trim()));
    return [...new Set(wanted)].filter(
      (text) => !(text.startsWith('"') ? output.includes(text) : lines.has(text)), // prettier-ignore
    );
  }

  async stop(): Promise<void> {
    // All at once: each of them may wait for runs that it carries.
    await Promise.all(
      [...this.services.values()].map(async ({ child }) => {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }),
    );
    rmSync(this.folder, { recursive: true });
  }

  private async run(page: string, shell: ChildProcess): Promise<void> {
    let output = '';
    for (const block of blocksOf(readPage(page))) {
      const place = `${page}:${block.line}`;
      const [kind, status = '0'] = block.info.split('=');
      if (kind === 'service') await this.serve(block.text.trim());
      if (kind === 'runnable') {
        if (!this.url) await this.serve(START);
        output = await outputOf(shell, this.here(block.text), status, place);
      }
      if (kind !== 'output') continue;
      const missing = Reader.missing(this.here(block.text), output);
      if (missing.length > 0)
        throw new Error(
          `${place}: the output has no ${missing.join(', no ')}:\n${output}`,
        );
    }
  }

  private async serve(command: string): Promise<void> {
    const served = this.services.get(command) ?? (await this.begin(command));
    this.url = served.url || this.url;
  }

  private async begin(command: string): Promise<Served> {
    const isSonde = command.endsWith(START);
    // Of the examples, one is to run at a time; here each has a folder of its own for its data.
    const data = command === START ? 'data' : `data-${this.services.size}`;
    const child = spawn(
      'bash',
      ['-c', `exec ${asCommand(this.here(command))}`],
      this.options({ RELAY_DATA_DIR: data }),
    );
    const served = { child, url: '' };
    this.services.set(command, served);
    const log = await logged(child, /(?:listening on|Waiting .* at) http:\S+/);
    if (!isSonde) return served;
    served.url = /listening on (http:\S+)/.exec(log)![1];
    const [, sandbox] = /built-in sandbox at (\S+)/.exec(log)!;
    const body = JSON.stringify({ turn_ms: 1, research_ms: 50 });
    const reply = await fetch(`${sandbox}/sandbox/config`, { method: 'POST', body }); // prettier-ignore
    if (!reply.ok) throw new Error(`The sandbox answers ${reply.status}.`);
    return served;
  }

  private here(text: string): string {
    return text
      .replaceAll('http://127.0.0.1:8080', this.url)
      .replaceAll(/\b9000\b/g, String(this.receiverPort));
  }

  private options(more: NodeJS.ProcessEnv = {}) {
    const env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      CURL_HOME: this.folder,
      TMPDIR: this.folder,
      RELAY_PORT: '0',
      RELAY_ENV_FILE: 'none',
      ...more,
    };
    return { cwd: this.folder, env, stdio: 'pipe' } as const;
  }
}

/** `npm start` without npm in between, which would not pass signals on at once. */
function asCommand(command: string): string {
  const direct = command.replace(START, 'node dist/src/app/all-in-one.js');
  return /^\w+=/.test(direct) ? `env ${direct}` : direct;
}

/** What a line of a shown output promises. */
function wantedOf(line: string): string[] {
  if (line.startsWith('id: ')) return [];
  const json = line.replace(/^data: /, '').replaceAll(/("): (?=\S)/g, '$1:');
  const fields = [
    ...json.matchAll(/"(\w+)":(?:"((?:[^"\\]|\\.)*)"|(true|false|null)\b)?/g),
  ];
  if (fields.length === 0)
    return line === '' || /[…{}[\]]/.test(line) ? [] : [line];
  return fields.map(([, key, text, literal]) => {
    if (literal) return `"${key}":${literal}`;
    if (text === undefined || VARIES.test(key)) return `"${key}":`;
    return `"${key}":"${text.includes('…') ? text.split('…')[0] : `${text}"`}`;
  });
}

async function outputOf(
  shell: ChildProcess,
  text: string,
  status: string,
  place: string,
): Promise<string> {
  const end = `--- end of ${place} ---`;
  const script =
    status === '0' ? text : `(${text}) || status=$?\n[ $status = ${status} ]\n`;
  const output = logged(shell, new RegExp(`^${end}$`, 'm'));
  shell.stdin!.write(`{\n${script}} </dev/null\nprintf '\\n%s\\n' '${end}'\n`);
  return (
    await output.catch((error: Error) => {
      throw new Error(`${place}: ${error.message}`);
    })
  ).replace(end, '');
}

/** What the process prints until it matches. */
function logged(child: ChildProcess, pattern: RegExp): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      if (!pattern.test(log)) return;
      stop();
      resolve(log);
    };
    const fail = (code: number | null): void => {
      stop();
      reject(new Error(`exited with ${code}:\n${log}`));
    };
    const stop = (): void => {
      for (const stream of [child.stdout!, child.stderr!])
        stream.off('data', read).resume();
      child.off('close', fail);
    };
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', read);
    child.once('close', fail);
  });
}
