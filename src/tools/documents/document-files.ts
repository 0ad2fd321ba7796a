import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import type { Document } from '../../platform/message/document';

const MB = 1_000_000;
const MAX_FILE_BYTES = 5 * MB;
/** Their index takes up to eight times the memory, in every worker. */
const MAX_TOTAL_BYTES = 50 * MB;
const MAX_FILES = 10_000;
const MAX_TITLE = 200;

export interface DocumentFile {
  /** Relative to the folder. */
  name: string;
  path: string;
  bytes: number;
  /** Differs after every change of the file. */
  version: string;
}

/** The reason why a file is skipped, as a predicate: `is over 5 MB`. */
export class FileFault extends Error {}

/** Called for each skipped file or folder, with its path relative to the folder. */
export type OnSkipped = (name: string, fault: string) => void;

/** Called for each file that is no text, with its extension: `.pdf`. */
export type OnOther = (extension: string) => void;

/**
 * The `.md` and `.txt` files in a folder and its subfolders, in the order of their names. Hidden files are skipped, and
 * so are links out of the folder: only what the operator has put there is searchable.
 * @throws the error of the file system if the folder itself cannot be read.
 */
export async function findFiles(
  folder: string,
  onSkipped: OnSkipped,
  onOther: OnOther = () => undefined,
): Promise<DocumentFile[]> {
  const root = await realpath(folder);
  const files = new Map<string, DocumentFile>();
  let bytes = 0;
  for await (const name of namesIn(root, '', onSkipped, onOther)) {
    if (files.size === MAX_FILES) {
      onSkipped(name, `is beyond the first ${MAX_FILES} files`);
      break;
    }
    try {
      const file = await inspect(root, name);
      if (files.has(file.path)) continue;
      if (bytes + file.bytes > MAX_TOTAL_BYTES)
        throw new FileFault(`is beyond ${MAX_TOTAL_BYTES / MB} MB in all`);
      bytes += file.bytes;
      files.set(file.path, file);
    } catch (error) {
      onSkipped(name, faultOf(error));
    }
  }
  return [...files.values()];
}

/** @throws FileFault if the file is not UTF-8. */
export async function readDocument(path: string): Promise<Document> {
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileFault('is not UTF-8');
  }
  const heading = /^#{1,6}[ \t]+(\S.*)/m.exec(text)?.[1].slice(0, MAX_TITLE);
  const title = heading?.replace(/[\s#]+$/, '');
  return { title: title || basename(path, extname(path)), text };
}

export function faultOf(error: unknown): string {
  return error instanceof FileFault ? error.message : 'cannot be read';
}

async function* namesIn(
  root: string,
  folder: string,
  onSkipped: OnSkipped,
  onOther: OnOther,
): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      try {
        yield* namesIn(root, name, onSkipped, onOther);
      } catch (error) {
        onSkipped(name, faultOf(error));
      }
    } else if (/\.(md|txt)$/i.test(entry.name)) yield name;
    else onOther(extname(entry.name).toLowerCase());
  }
}

async function inspect(root: string, name: string): Promise<DocumentFile> {
  const path = await realpath(join(root, name));
  if (`${relative(root, path)}${sep}`.startsWith(`..${sep}`))
    throw new FileFault('is a link out of the folder');
  const found = await stat(path);
  if (!found.isFile()) throw new FileFault('is not a file');
  if (found.size > MAX_FILE_BYTES)
    throw new FileFault(`is over ${MAX_FILE_BYTES / MB} MB`);
  const version = `${found.mtimeMs} ${found.size}`;
  return { name, path, bytes: found.size, version };
}
