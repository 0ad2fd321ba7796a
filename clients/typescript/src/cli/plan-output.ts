import type { Invocation, Plan } from '../types.js';
import { oneLine } from './terminal/live.js';
import type { Output } from './terminal/output.js';
import type { WithSonde } from './run.js';

/** Prints the plan that a run waits with, and the commands that decide on it. */
export function showPlan(
  { output, tokens }: WithSonde,
  { invocation_id: id, invocation_token, plan }: Invocation,
): void {
  for (const { title, queries } of plan?.directions ?? []) {
    output.log(`direction: ${oneLine(title)}`);
    for (const query of queries) output.log(`  search: ${oneLine(query)}`);
  }
  showEstimate(output, plan);
  const command = `${tokens.save(id, invocation_token)}sonde plan ${id}`;
  output.log(`approval required: the plan of ${id}`);
  output.log(`  to approve: ${command} --approve`);
  output.log(`  to edit: ${command} --edit FILE`);
  output.log(`  to refuse: ${command} --refuse`);
}

export function showEstimate(output: Output, plan?: Plan | null): void {
  if (!plan?.estimate) return;
  const { searches, pages, model_calls, tokens, minutes, cost_usd } =
    plan.estimate;
  const cost = cost_usd === null ? 'unknown' : `${cost_usd.toFixed(4)} USD`;
  output.log(
    `estimate: searches ${searches}, pages ${pages}, model calls ${model_calls}, tokens ${tokens}, ` +
      `minutes ${minutes}, cost ${cost}`,
  );
}

/** A plan in the form that `--edit` reads. */
export function editable({ directions }: Plan): string {
  const all = directions.map(({ title, queries }) => ({ title, queries }));
  return JSON.stringify({ directions: all }, null, 2);
}
