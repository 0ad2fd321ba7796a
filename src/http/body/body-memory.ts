import { AppError } from '../../errors';

/** The bytes of all bodies that are arriving or being parsed in this process, which have one bound together. */
export class BodyMemory {
  private held = 0;

  constructor(private readonly limit: number) {}

  share(): BodyShare {
    let mine = 0;
    return {
      take: (bytes) => {
        if (this.held + bytes > this.limit)
          throw new AppError('server_busy', undefined, {
            retryAfterSeconds: 1,
          });
        this.held += bytes;
        mine += bytes;
      },
      release: () => {
        this.held -= mine;
        mine = 0;
      },
    };
  }
}

/** What one body takes of it. */
export interface BodyShare {
  /** @throws AppError `server_busy`. */
  take(bytes: number): void;
  release(): void;
}
