import { AppError } from '../../errors';

/** Limits the bytes of all request bodies that this process is receiving or parsing at the same time. */
export class BodyMemory {
  private used = 0;

  constructor(private readonly limit: number) {}

  share(): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        if (this.used + bytes > this.limit)
          throw new AppError('server_busy', undefined, {
            retryAfterSeconds: 1,
          });
        this.used += bytes;
        taken += bytes;
      },
      release: () => {
        this.used -= taken;
        taken = 0;
      },
    };
  }
}

/** The part that one body uses. */
export interface BodyShare {
  /** @throws AppError `server_busy`. */
  take(bytes: number): void;
  release(): void;
}
