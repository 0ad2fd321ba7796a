import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ToolCallEntry {
  tool: string;
  tenant?: string;
  requestId?: string;
  invocationId: string;
}

/** The calls that the tools of `tools/plain.tool.ts` have really received, in any process. */
export class ToolCallLog {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sonde-diary-'));
  private readonly path = join(this.folder, 'diary');
  /** The file that the tools named `wait_to_…` wait for. */
  readonly releaseFile = join(this.folder, 'release');
  readonly env = { TOOL_DIARY: this.path };

  entries(): ToolCallEntry[] {
    const text = existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
    // What follows the last line break is a line that is being written.
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as ToolCallEntry);
  }

  /** The calls of an invocation, without `stopped`: whether a tool notes that before its process ends is chance. */
  of(invocation: { id: string }): string[] {
    return this.entries()
      .filter(({ invocationId }) => invocationId === invocation.id)
      .map(({ tool }) => tool)
      .filter((tool) => tool !== 'stopped');
  }

  release(): void {
    writeFileSync(this.releaseFile, '');
  }

  clear(): void {
    rmSync(this.path, { force: true });
    rmSync(this.releaseFile, { force: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
