import { nanoOf } from '../../../src/tenants/spend/account.store';
import { callerOf, priceOf } from '../fleet/callers';
import { isFinal, type ObservedRun } from '../load/observed-run';
import type { Account } from './accounts';
import type { History } from './history';

/**
 * The accounts of the keys equal the bill of the upstream. Only where Sonde never received what a run used, it is counted by
 * an estimate, or not at all: a purchase whose reply was lost, a run that was given up, cancelled or deleted, a second purchase.
 */
export function checkAccounts(history: History): string[] {
  const { accounts, observedRuns } = history;
  const byId = new Map(observedRuns.map((run) => [run.id, run]));
  return [
    ...accounts.flatMap(checkSum),
    ...accounts.flatMap((account) => checkOwners(account, byId, history)),
    ...idsOf(history).flatMap((id) => checkRun(id, byId.get(id), history)),
  ];
}

/** What the key reads is the sum of its runs. */
function checkSum({ account, runs, shown }: Account): string[] {
  const sum = [...runs.values()].reduce((total, nano) => total + nano, 0);
  return shown.runs === runs.size && shown.nano === sum
    ? []
    : [
        `${account} shows ${shown.nano} of ${shown.runs} runs, the sum is ${sum} of ${runs.size}`,
      ];
}

/** A run is on the account of the key that submitted it. */
function checkOwners(
  { account, runs }: Account,
  byId: Map<string | undefined, ObservedRun>,
  { callers }: History,
): string[] {
  return [...runs.keys()]
    .filter((id) => {
      const run = byId.get(id);
      return run && callerOf(callers, run.marker).account !== account;
    })
    .map((id) => `${id} is on ${account}, whose key did not submit it`);
}

function idsOf({ accounts, observedRuns, upstream }: History): string[] {
  const ids = [
    ...accounts.flatMap(({ runs }) => [...runs.keys()]),
    ...observedRuns.flatMap(({ id }) => id ?? []),
    ...Object.keys(upstream.billed_by_invocation),
  ];
  return [...new Set(ids)];
}

function checkRun(
  id: string,
  run: ObservedRun | undefined,
  { accounts, upstream }: History,
): string[] {
  const counted = accounts.reduce(
    (sum, { runs }) => sum + (runs.get(id) ?? 0),
    0,
  );
  const record = run?.record;
  const isHosted = upstream.creates_by_invocation[id] !== undefined;
  // A run of the agent has no bill of its own: its record has the sum of the replies that its journal settled.
  if (!isHosted && (!record || !isFinal(record.status))) return [];
  const bill = priceOf(
    isHosted ? upstream.billed_by_invocation[id] : (record!.usage ?? undefined),
  );
  const isReported =
    record?.status === 'completed' || Boolean(record?.usage?.input_tokens);
  if (isHosted && !isReported) return checkEstimate(id, counted, record);
  if (counted > bill) return [`${id} is counted ${counted}, billed ${bill}`];
  const isKnown = !isHosted || upstream.creates_by_invocation[id] === 1;
  return isKnown && counted < bill
    ? [`${id} is counted ${counted} only, billed ${bill}`]
    : [];
}

/** What a run is taken to have cost is on its record, where there is one. */
function checkEstimate(
  id: string,
  counted: number,
  record: ObservedRun['record'],
): string[] {
  const shown = nanoOf(record?.cost?.spent ?? 0);
  return !record || counted === shown
    ? []
    : [`${id} is counted ${counted}, and its record says ${shown}`];
}
