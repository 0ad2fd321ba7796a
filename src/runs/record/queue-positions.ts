/** Where runs wait for their turn, and for whom. */
export abstract class QueuePositions {
  /** Of a run of this tool: 1 is the next of its caller; null: it waits for nothing. */
  abstract positionOf(tool: string, id: string): Promise<number | null>;

  /** Whether a worker is connected that takes runs of this tool; true where that is not known. */
  abstract hasWorker(tool: string): Promise<boolean>;
}
