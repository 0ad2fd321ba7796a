// By hand: ZIP libraries believe the sizes that an archive claims, or inflate a file whole before a limit can act.
import { inflateRawSync } from 'node:zlib';
import { ExtractionFault } from './extraction.types';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly size: number;
  readonly localOffset: number;
}

/**
 * The files of a ZIP archive. What it claims about their sizes counts for nothing: everything that is read from it is
 * inflated against one limit.
 * @throws ExtractionFault for damaged archives too.
 */
export class Zip {
  private readonly entries = new Map<string, Entry>();
  private readonly archive: Buffer;

  constructor(
    bytes: Uint8Array,
    private bytesLeft: number,
  ) {
    this.archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    orUnreadable(() => this.readDirectory());
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  read(name: string): Buffer {
    const entry = this.entries.get(name);
    if (!entry) throw new ExtractionFault('unreadable');
    if (entry.isEncrypted) throw new ExtractionFault('encrypted');
    const contents = orUnreadable(() => this.inflate(entry));
    this.bytesLeft -= contents.length;
    if (this.bytesLeft < 0) throw new ExtractionFault('too_large');
    return contents;
  }

  private inflate({ method, size, localOffset }: Entry): Buffer {
    const { archive } = this;
    const start =
      localOffset +
      LOCAL_BYTES +
      archive.readUInt16LE(localOffset + 26) +
      archive.readUInt16LE(localOffset + 28);
    const packed = archive.subarray(start, start + size);
    if (method === STORED) return packed;
    if (method !== DEFLATED) throw new ExtractionFault('unreadable');
    return inflateRawSync(packed, { maxOutputLength: this.bytesLeft + 1 });
  }

  private readDirectory(): void {
    const { archive } = this;
    const end = this.endOfDirectory();
    const count = archive.readUInt16LE(end + 10);
    let at = archive.readUInt32LE(end + 16);
    for (let index = 0; index < count; index += 1) {
      if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY)
        throw new ExtractionFault('unreadable');
      const nameBytes = archive.readUInt16LE(at + 28);
      const name = archive.toString(
        'utf8',
        at + ENTRY_BYTES,
        at + ENTRY_BYTES + nameBytes,
      );
      this.entries.set(name, {
        isEncrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
        method: archive.readUInt16LE(at + 10),
        size: archive.readUInt32LE(at + 20),
        localOffset: archive.readUInt32LE(at + 42),
      });
      at +=
        ENTRY_BYTES +
        nameBytes +
        archive.readUInt16LE(at + 30) +
        archive.readUInt16LE(at + 32);
    }
  }

  private endOfDirectory(): number {
    const { archive } = this;
    const last = archive.length - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1)
      if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
    throw new ExtractionFault('unreadable');
  }
}

/** Offsets beyond the archive, and data that does not inflate within the limit. */
function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExtractionFault) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new ExtractionFault(
      code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable',
    );
  }
}
