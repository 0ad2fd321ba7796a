/** A run that no worker holds for a while: somebody takes it up again when it is due. */
export class Parked {
  constructor(readonly dueMs: number) {}
}
