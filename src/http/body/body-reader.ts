import type { Readable } from 'node:stream';
import { AppError } from '../../errors';
import type { BodyShare } from './body-memory';
import { JsonScan } from './json-scan';

export interface BodyLimits {
  /** Of this body. */
  readonly bytes: number;
  /** For the whole of it to arrive. */
  readonly timeoutMs: number;
}

/**
 * Reads a JSON body and checks every bound of it while it arrives. What arrives after a fault is dropped.
 * @param declared its length as the headers have it; NaN if they do not.
 * @throws AppError `body_too_large`, `validation_failed`, `server_busy`, `request_timeout`.
 */
export function readBody(
  stream: Readable,
  declared: number,
  limits: BodyLimits,
  share: BodyShare,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const scan = new JsonScan();
  let length = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      stream.off('data', take).off('end', end).off('close', cut);
    };
    const fail = (fault: unknown): void => {
      stop();
      stream.resume();
      reject(fault as Error);
    };
    const checkLength = (bytes: number): void => {
      if (bytes > limits.bytes)
        throw new AppError(
          'body_too_large',
          `The body is over the limit of ${limits.bytes} bytes.`,
        );
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      try {
        checkLength(length);
        share.take(chunk.length);
        scan.add(chunk);
        chunks.push(chunk);
      } catch (fault) {
        fail(fault);
      }
    };
    const end = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const cut = (): void =>
      fail(new AppError('bad_request', 'The body did not arrive whole.'));
    const timer = setTimeout(
      () => fail(new AppError('request_timeout')),
      limits.timeoutMs,
    );
    stream.on('error', cut).on('data', take).on('end', end).on('close', cut);
    try {
      checkLength(declared);
    } catch (fault) {
      fail(fault);
    }
  });
}
