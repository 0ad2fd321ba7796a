import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
} from 'node:zlib';
import { PageUnreadable } from '../page.types';

export const ACCEPTED_ENCODINGS = 'gzip, br, zstd';

/** 8 MB, the most that RFC 9659 lets a zstd body ask for. */
const ZSTD_WINDOW_LOG = 23;
const FIRST_CAPACITY = 64 * 1024;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  zstd: () =>
    createZstdDecompress({
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
};

/**
 * The decompressed body, in memory of its own. No more than `maxBytes` is ever decompressed, plus one chunk.
 * @param whenLonger whether a longer body is refused, or cut.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  maxBytes: number,
  whenLonger: 'refuse' | 'cut',
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new GrowingBytes();
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      const room = maxBytes - bytes.length;
      if (chunk.length > room && whenLonger === 'refuse')
        throw new PageUnreadable('too_large');
      bytes.append(chunk.subarray(0, room));
      if (chunk.length > room) return;
    }
  };
  const decoder = decoderOf(contentEncoding);
  if (decoder) await pipeline(body, decoder, collect, { signal });
  else await pipeline(body, collect, { signal });
  return bytes.take();
}

/** @throws PageUnreadable for stacked encodings, whose expansion multiplies, and for unknown ones. */
function decoderOf(header: string | string[] = []): Transform | undefined {
  const names = [header]
    .flat()
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return undefined;
  const create = Object.hasOwn(DECODERS, names[0])
    ? DECODERS[names[0]]
    : undefined;
  if (names.length > 1 || !create) throw new PageUnreadable('unreadable');
  return create();
}

/** One buffer, so that a body of tiny chunks costs no more memory than its bytes. */
class GrowingBytes {
  private bytes = new Uint8Array(FIRST_CAPACITY);
  length = 0;

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length = length;
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}
