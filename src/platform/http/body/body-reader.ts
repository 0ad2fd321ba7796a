import type { Readable } from 'node:stream';
import { AppError } from '../../errors';
import type { BodyLimits } from './body-limits';
import type { BodyShare } from './body-memory';
import { JsonScan } from './json-scan';

/**
 * Reads a JSON body and checks every limit while it arrives. The rest of a refused body is read and discarded.
 * @param declared the value of Content-Length; NaN without one.
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
      stream.off('data', take).off('end', end).off('close', abort);
    };
    const fail = (error: unknown): void => {
      stop();
      stream.resume();
      reject(error as Error);
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
      } catch (error) {
        fail(error);
      }
    };
    const end = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const abort = (): void =>
      fail(new AppError('bad_request', 'The body is incomplete.'));
    const timer = setTimeout(
      () => fail(new AppError('request_timeout')),
      limits.timeoutMs,
    );
    stream
      .on('error', abort)
      .on('data', take)
      .on('end', end)
      .on('close', abort);
    try {
      checkLength(declared);
    } catch (error) {
      fail(error);
    }
  });
}
