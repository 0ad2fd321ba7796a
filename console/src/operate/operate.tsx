import type { ComponentType } from 'preact';
import { service } from '../api/session';
import { hrefOf } from '../router';
import { Health } from './health';
import { Keys } from './keys';
import { operateWords } from './operate.words';
import { Runs } from './runs';
import { Spend } from './spend';

const PARTS: Record<string, ComponentType> = {
  runs: Runs,
  spend: Spend,
  keys: Keys,
};

/** For whoever runs the service. Every part needs a key with the scope `admin`. */
export function Operate({ id = 'runs' }: { id?: string }) {
  const w = operateWords();
  const Part = PARTS[id] ?? Runs;
  const board = service.value?.links.queues;
  return (
    <main class="operate">
      <h1>{w.title}</h1>
      <Health />
      <nav class="tabs" aria-label={w.parts}>
        {(['runs', 'spend', 'keys'] as const).map((one) => (
          <a
            key={one}
            href={hrefOf('operate', one)}
            aria-current={one === id ? 'page' : undefined}
          >
            {w[one]}
          </a>
        ))}
        {board && <a href={board}>{w.board}</a>}
      </nav>
      <Part />
    </main>
  );
}
