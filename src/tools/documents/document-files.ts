import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import {
  type DocumentExtractor,
  FileFault,
  type FileText,
} from './document-extractor';

const MB = 1_000_000;
const MAX_TEXT_BYTES = 5 * MB;
/** Most of a PDF is no text. */
const MAX_EXTRACTED_BYTES = 20 * MB;
const MAX_FILES = 10_000;
const MAX_TITLE = 200;

const TEXT = /\.(md|txt)$/i;
const EXTRACTED = /\.(pdf|docx|html?)$/i;

export interface DocumentFile {
  /** Relative to the folder. */
  name: string;
  path: string;
  /** Differs after every change of the file. */
  version: string;
}

/** Called for each skipped file or folder, with its path relative to the folder. */
export type OnSkipped = (name: string, fault: string) => void;

/** Called for each file of another type, with its extension: `.png`. */
export type OnOther = (extension: string) => void;

/** Whether a file has to be extracted to be searched. */
export function isExtracted(name: string): boolean {
  return EXTRACTED.test(name);
}

/**
 * The documents in a folder and its subfolders, in the order of their names. Hidden files are skipped, and so are links
 * out of the folder: only what the operator has put there is searchable.
 * @throws the error of the file system if the folder itself cannot be read.
 */
export async function findFiles(
  folder: string,
  onSkipped: OnSkipped,
  onOther: OnOther = () => undefined,
): Promise<DocumentFile[]> {
  const root = await realpath(folder);
  const files = new Map<string, DocumentFile>();
  for await (const name of namesIn(root, '', onSkipped, onOther)) {
    if (files.size === MAX_FILES) {
      onSkipped(name, `is beyond the first ${MAX_FILES} files`);
      break;
    }
    try {
      const file = await inspect(root, name);
      if (!files.has(file.path)) files.set(file.path, file);
    } catch (error) {
      onSkipped(name, faultOf(error));
    }
  }
  return [...files.values()];
}

/** @throws FileFault if the file is not UTF-8, or what the extractor throws. */
export async function readDocument(
  path: string,
  extractor?: DocumentExtractor,
): Promise<FileText> {
  const bytes = await readFile(path);
  const name = basename(path, extname(path));
  if (isExtracted(path)) {
    if (!extractor) throw new FileFault('is not read by this process');
    const type = extname(path).toLowerCase();
    const found = await extractor.extract(new Uint8Array(bytes), type);
    return { ...found, title: found.title || name };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileFault('is not UTF-8');
  }
  const heading = /^#{1,6}[ \t]+(\S.*)/m.exec(text)?.[1].slice(0, MAX_TITLE);
  const title = heading?.replace(/[\s#]+$/, '');
  return { title: title || name, text };
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
    } else if (TEXT.test(name) || EXTRACTED.test(name)) yield name;
    else onOther(extname(entry.name).toLowerCase());
  }
}

async function inspect(root: string, name: string): Promise<DocumentFile> {
  const path = await realpath(join(root, name));
  if (`${relative(root, path)}${sep}`.startsWith(`..${sep}`))
    throw new FileFault('is a link out of the folder');
  const found = await stat(path);
  if (!found.isFile()) throw new FileFault('is not a file');
  const most = isExtracted(path) ? MAX_EXTRACTED_BYTES : MAX_TEXT_BYTES;
  if (found.size > most) throw new FileFault(`is over ${most / MB} MB`);
  return { name, path, version: `${found.mtimeMs} ${found.size}` };
}
