/** Where runs wait for their turn. */
export abstract class QueuePositions {
  /** Of a run of this tool: 1 is the next of its caller; null: it waits for nothing. */
  abstract positionOf(tool: string, id: string): Promise<number | null>;
}
