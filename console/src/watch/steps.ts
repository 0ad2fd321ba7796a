import type { Schemas } from '../api/client';
import type { Activity } from './run.follower';

export interface Step {
  kind: 'prepare' | 'direction' | 'gaps' | 'write';
  title: string | null;
  activities: Activity[];
  state: 'done' | 'now' | 'next' | 'left';
}

/**
 * What has happened, by the directions of the plan: a search belongs to the direction that has its words among its
 * queries, and what follows belongs to that search.
 */
export function stepsOf(
  activities: readonly Activity[],
  directions: readonly Schemas['DirectionDto'][],
  isOver: boolean,
): Step[] {
  const prepare = step('prepare');
  const planned = directions.map(({ title }) => step('direction', title));
  const gaps = step('gaps');
  const write = step('write');
  let current = prepare;
  for (const one of activities) {
    if (one.kind === 'web_search') {
      const at = directions.findIndex(({ queries }) =>
        queries.includes(one.detail),
      );
      if (at >= 0) current = planned[at];
      else if (directions.length > 0 && current !== prepare) current = gaps;
    }
    if (one.kind === 'reasoning' && one.detail.startsWith('Looking for gaps'))
      current = gaps;
    if (one.kind === 'reasoning' && /^(Outline|Writing)/.test(one.detail))
      current = write;
    current.activities.push(one);
  }
  const steps = [
    prepare,
    ...planned,
    ...(gaps.activities.length > 1 ? [gaps] : []),
    ...(planned.length > 0 || write.activities.length > 0 ? [write] : []),
  ];
  // Directions are searched side by side: all up to the current one have begun.
  const now = steps.indexOf(steps.includes(current) ? current : write);
  steps.forEach((one, at) => {
    // A plan is what preparing leads to, also before the events are here.
    const isDone =
      one.activities.length > 0 || (one === prepare && directions.length > 0);
    if (isOver) one.state = isDone ? 'done' : 'left';
    else if (at === now) one.state = 'now';
    else one.state = at < now || isDone ? 'done' : 'next';
  });
  return steps;
}

function step(kind: Step['kind'], title: string | null = null): Step {
  return { kind, title, activities: [], state: 'next' };
}
