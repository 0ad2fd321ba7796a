import type { MessageDelta } from '../../platform/message/delta';

type Emit = (delta: MessageDelta) => void;

/** The deltas of one chat, whose parts are numbered over all runs of its models. */
export class ChatDeltas {
  emitted = false;
  /** The first unused index of a part. */
  private nextIndex = 0;

  constructor(private readonly emit?: Emit) {}

  /** Receives those of the next run, whose indexes are shifted behind those of the runs before it. */
  ofRun(): Emit | undefined {
    const { emit, nextIndex: base } = this;
    if (!emit) return undefined;
    return ({ contents, ...delta }) => {
      this.emitted = true;
      const shifted = contents?.map((part) => {
        const index = part.index + base;
        this.nextIndex = Math.max(this.nextIndex, index + 1);
        return { ...part, index };
      });
      emit({ ...delta, ...(shifted && { contents: shifted }) });
    };
  }
}
