import type { RunKinds } from '../queue/run-kinds';
import type { RunFields } from '../record/run-fields';
import type { RunReader } from '../store/run-reader';
import type { Writing } from './submission';

/** With its arguments as they are kept, and the fields of its kind. */
export interface CheckedRun {
  run: Writing;
  own: RunFields | undefined;
}

/**
 * What its kind makes of a submission, or refuses it for.
 * @param earlier under which it may have been submitted before.
 */
export async function checkedRun(
  given: Writing,
  kinds: RunKinds,
  reader: RunReader,
  earlier?: string,
): Promise<CheckedRun> {
  const { tool, caller, isNeeded } = given;
  const kind = kinds.of(tool);
  // What an accepted run needs is never refused, nor is one that is submitted again.
  const isAgain = earlier && (await reader.readStatus(earlier));
  if (!isNeeded && !isAgain) await kind.mayBegin?.(caller);
  const kept = await kind.kept?.(given.arguments, caller);
  const run = { ...given, arguments: kept ?? given.arguments };
  const own = await kind.fieldsOf?.(run.arguments, caller, run.fields ?? {});
  return { run, own };
}
