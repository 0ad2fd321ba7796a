import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { DocumentExtractor } from './document-extractor';
import {
  type DocumentFile,
  faultOf,
  findFiles,
  isExtracted,
  readDocument,
} from './document-files';
import {
  DocumentIndex,
  type Hit,
  type IndexedDocument,
} from './document-index';

const RECHECK_MS = 30_000;
/** A search waits so long for the files that are being read. */
const WAIT_MS = 5_000;
/** Of texts, in UTF-8. Their index takes up to eight times the memory, in every worker. */
const MAX_TEXT_BYTES = 50_000_000;
/** Skipped files named in one log line. */
const MAX_NAMED = 50;
/** Extensions named in it, and the characters of each. */
const MAX_TYPES = 5;
const MAX_TYPE = 10;

/** The folder cannot be read at the moment. The message is safe to show to any caller. */
export class DocumentsUnavailable extends Error {
  override readonly name = 'DocumentsUnavailable';
  readonly code = 'DOCUMENTS_UNAVAILABLE';

  constructor(cause: unknown) {
    super('The documents cannot be read at the moment.', { cause });
  }
}

interface KnownFile {
  version: string;
  /** Of its text. */
  bytes: number;
  document?: IndexedDocument;
  fault?: string;
}

interface FolderOptions {
  /** The maximum delay until a change of the folder is seen. */
  recheckMs?: number;
  waitMs?: number;
  maxTextBytes?: number;
  /** Without one, only texts are searched, and nothing is read before the first search. */
  extractor?: DocumentExtractor;
}

/** The documents of a folder, indexed when the process starts and updated at searches. */
export class DocumentFolder implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Documents');
  private readonly index = new DocumentIndex();
  private readonly known = new Map<string, KnownFile>();
  private checkedAt = -Infinity;
  private checking?: Promise<void>;
  private warned = new Set<string>();
  private isClosed = false;

  constructor(
    private readonly folder: string,
    private readonly options: FolderOptions = {},
  ) {}

  /** Extraction takes long: it is begun before anything is searched. */
  onApplicationBootstrap(): void {
    if (!this.options.extractor) return;
    this.update().catch(() => this.warn(['the folder cannot be read']));
  }

  onModuleDestroy(): void {
    this.isClosed = true;
  }

  /**
   * While files are being read it waits for some seconds, and finds what has been read by then.
   * @param signal ends this search; indexing continues for the next one.
   * @throws DocumentsUnavailable if the folder cannot be read.
   */
  async search(query: string, signal: AbortSignal): Promise<Hit[]> {
    signal.throwIfAborted();
    const { recheckMs = RECHECK_MS, waitMs = WAIT_MS } = this.options;
    if (performance.now() - this.checkedAt >= recheckMs)
      await Promise.race([
        this.update(),
        sleep(waitMs, undefined, { ref: false }),
        aborted(signal),
      ]);
    return this.index.search(query);
  }

  private update(): Promise<void> {
    this.checking ??= this.check().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async find(): Promise<{ files: DocumentFile[]; faults: string[] }> {
    const faults: string[] = [];
    const others = new Map<string, number>();
    const files = await findFiles(
      this.folder,
      (name, fault) => faults.push(`${name} ${fault}`),
      (type) => others.set(type, (others.get(type) ?? 0) + 1),
    );
    return { files, faults: [...otherTypes(others), ...faults] };
  }

  private async check(): Promise<void> {
    const { files, faults } = await this.find().catch((cause: unknown) => {
      throw new DocumentsUnavailable(cause);
    });
    const paths = new Set(files.map(({ path }) => path));
    for (const path of this.known.keys()) {
      if (!paths.has(path)) this.forget(path);
    }
    let left = this.options.maxTextBytes ?? MAX_TEXT_BYTES;
    for (const file of textsFirst(files)) {
      if (this.isClosed) return;
      const { bytes, fault } =
        left > 0 ? await this.read(file) : this.leaveOut(file);
      left -= bytes;
      if (fault) faults.push(`${file.name} ${fault}`);
    }
    this.warn(faults);
    this.checkedAt = performance.now();
  }

  private async read({
    name,
    path,
    version,
  }: DocumentFile): Promise<KnownFile> {
    const before = this.known.get(path);
    if (before?.version === version) return before;
    const now: KnownFile = { version, bytes: 0 };
    try {
      const found = await readDocument(path, this.options.extractor);
      now.bytes = Buffer.byteLength(found.text);
      now.document = await this.index.add(found, { name });
      if (found.isCut) now.fault = 'beyond its first part, as it is too long';
    } catch (error) {
      now.fault = faultOf(error);
    }
    // Until the new text is there, the old one is found.
    this.forget(path);
    this.known.set(path, now);
    return now;
  }

  private leaveOut({ path }: DocumentFile): Pick<KnownFile, 'bytes' | 'fault'> {
    this.forget(path);
    return { bytes: 0, fault: 'is beyond the texts that are searched in all' };
  }

  private forget(path: string): void {
    const document = this.known.get(path)?.document;
    if (document) this.index.remove(document);
    this.known.delete(path);
  }

  /** Names each fault once, not at every check. */
  private warn(faults: readonly string[]): void {
    if (this.isClosed) return;
    const added = faults.filter((fault) => !this.warned.has(fault));
    this.warned = new Set(faults);
    if (added.length === 0) return;
    const named = added.slice(0, MAX_NAMED).join(', ');
    const others = added.length - MAX_NAMED;
    const warning = others > 0 ? `${named}, and ${others} more` : named;
    this.log.warn(`Not searched in RELAY_DOCUMENTS_DIR: ${warning}`);
  }
}

/** "12 files of other types (.png, .xlsx)", the most frequent first. */
function otherTypes(others: ReadonlyMap<string, number>): string[] {
  if (others.size === 0) return [];
  const types = [...others].toSorted(([, a], [, b]) => b - a);
  const count = types.reduce((sum, [, files]) => sum + files, 0);
  const named = types
    .slice(0, MAX_TYPES)
    .map(([type]) => type.slice(0, MAX_TYPE) || 'none');
  const more = types.length > MAX_TYPES ? ', …' : '';
  const files = count === 1 ? '1 file' : `${count} files`;
  return [`${files} of other types (${named.join(', ')}${more})`];
}

/** They take no time: a search right after the start finds them. */
function textsFirst(files: readonly DocumentFile[]): DocumentFile[] {
  const [texts, others] = [false, true].map((extracted) =>
    files.filter(({ path }) => isExtracted(path) === extracted),
  );
  return [...texts, ...others];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), {
      once: true,
    });
  });
}
