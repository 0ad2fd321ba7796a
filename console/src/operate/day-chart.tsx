import { money } from '../i18n/format';
import { operateWords } from './operate.words';

const [WIDTH, HEIGHT, GAP] = [720, 140, 3];

/** A bar for each day; the numbers are in its title, and in a table for screen readers. */
export function DayChart({
  days,
}: {
  days: readonly { date: string; usd: number }[];
}) {
  const w = operateWords();
  const most = Math.max(0, ...days.map(({ usd }) => usd));
  if (most === 0) return <p class="muted">{w.nothingSpent}</p>;
  const step = WIDTH / Math.max(days.length, 1);
  return (
    <>
      <svg
        class="day-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={w.days}
      >
        {days.map(({ date, usd }, at) => {
          const height = (usd / most) * (HEIGHT - 2);
          return (
            <rect
              key={date}
              x={at * step}
              y={HEIGHT - height}
              width={Math.min(step - GAP, 40)}
              height={height}
              rx="2"
            >
              <title>{`${date}: ${money(usd)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="row between muted tiny num">
        <span>{days[0].date}</span>
        <span>{money(most)}</span>
        <span>{days.at(-1)!.date}</span>
      </p>
    </>
  );
}
