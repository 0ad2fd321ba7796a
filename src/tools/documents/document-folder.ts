import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type DocumentFile,
  faultOf,
  findFiles,
  readDocument,
} from './document-files';
import {
  DocumentIndex,
  type Hit,
  type IndexedDocument,
} from './document-index';

const RECHECK_MS = 30_000;
/** Skipped files named in one log line. */
const MAX_NAMED = 3;
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
  document?: IndexedDocument;
  fault?: string;
}

/** The documents of a folder, indexed at the first search and updated at later ones. */
export class DocumentFolder implements OnApplicationBootstrap {
  private readonly log = new Logger('Documents');
  private readonly index = new DocumentIndex();
  private readonly known = new Map<string, KnownFile>();
  private checkedAt = -Infinity;
  private checking?: Promise<void>;
  private warned = '';

  /** @param recheckMs the maximum delay until a change of the folder is seen. */
  constructor(
    private readonly folder: string,
    private readonly recheckMs = RECHECK_MS,
  ) {}

  /** Names at the start what no search will find. */
  onApplicationBootstrap(): void {
    void this.find().then(
      ({ faults }) => this.warn(faults),
      () => this.warn(['the folder cannot be read']),
    );
  }

  /**
   * @param signal ends this search; indexing continues for the next one.
   * @throws DocumentsUnavailable if the folder cannot be read.
   */
  async search(query: string, signal: AbortSignal): Promise<Hit[]> {
    signal.throwIfAborted();
    if (performance.now() - this.checkedAt >= this.recheckMs) {
      this.checking ??= this.check().finally(() => (this.checking = undefined));
    }
    await Promise.race([this.checking, aborted(signal)]);
    return this.index.search(query);
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
    for (const file of files) {
      const { fault } = await this.read(file);
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
    this.forget(path);
    const now: KnownFile = { version };
    try {
      now.document = await this.index.add(await readDocument(path), { name });
    } catch (error) {
      now.fault = faultOf(error);
    }
    this.known.set(path, now);
    return now;
  }

  private forget(path: string): void {
    const document = this.known.get(path)?.document;
    if (document) this.index.remove(document);
    this.known.delete(path);
  }

  /** Warns once, not at every check. */
  private warn(faults: readonly string[]): void {
    const named = faults.slice(0, MAX_NAMED).join(', ');
    const others = faults.length - MAX_NAMED;
    const warning = others > 0 ? `${named}, and ${others} more` : named;
    if (warning && warning !== this.warned)
      this.log.warn(`Not searched in RELAY_DOCUMENTS_DIR: ${warning}`);
    this.warned = warning;
  }
}

/** "12 files of other types than .md and .txt (.pdf, .docx)", the most frequent first. */
function otherTypes(others: ReadonlyMap<string, number>): string[] {
  if (others.size === 0) return [];
  const types = [...others].toSorted(([, a], [, b]) => b - a);
  const count = types.reduce((sum, [, files]) => sum + files, 0);
  const named = types
    .slice(0, MAX_TYPES)
    .map(([type]) => type.slice(0, MAX_TYPE) || 'none');
  const more = types.length > MAX_TYPES ? ', …' : '';
  const files = count === 1 ? '1 file' : `${count} files`;
  return [
    `${files} of other types than .md and .txt (${named.join(', ')}${more})`,
  ];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), {
      once: true,
    });
  });
}
