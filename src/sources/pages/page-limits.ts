import { Injectable } from '@nestjs/common';

/** What one page may cost; every other limit stands where it is applied. */
@Injectable()
export class PageLimits {
  /** From the first connection to the end of the body, redirects included, waits for other pages excluded. */
  readonly fetchMs: number = 20_000;
  /** How long a page waits for others of its host. */
  readonly hostWaitMs: number = 60_000;
  readonly extractMs: number = 15_000;
  /** Pages that are extracted at once. */
  readonly threads: number = 2;
  /** Of a thread, beside its heap: a few kilobytes of PDF inflate to gigabytes. */
  readonly extractBufferBytes: number = 256 * 1024 * 1024;
}

/** What the files of requests may cost an API process, which answers everyone meanwhile. */
export class FileLimits extends PageLimits {
  override readonly extractMs = 10_000;
  override readonly threads = 1;
  override readonly extractBufferBytes = 128 * 1024 * 1024;
}
