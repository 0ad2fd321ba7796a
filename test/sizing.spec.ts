import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredPart } from '../bench/report';
import { measuredIn, sizing } from '../bench/sizing';

const page = (name: string) =>
  measuredPart(readFileSync(join(__dirname, '../docs', name), 'utf8'));

describe('docs/sizing.md', () => {
  it('is computed from the figures of docs/performance.md', () => {
    expect(page('sizing.md')).toBe(sizing(measuredIn(page('performance.md'))));
  });

  it('has one worker more than half of the measured load of a core needs, and more memory for more runs', () => {
    const figures = new Map([
      ...measuredIn(page('performance.md')),
      ['10,000 runs active: worker CPU, % of a core', 100],
      ['10,000 runs active: worker RSS over idle, KB each', 102.4],
    ]);
    const [table] = sizing(figures).split('\n\n');
    const rows = table.split('\n').map((line) => line.split('|').slice(1, 4));
    expect(rows.slice(2).map((row) => row.map((cell) => cell.trim()))).toEqual([
      ['100', '2', '210 MB'],
      ['1,000', '2', '300 MB'],
      ['10,000', '3', '700 MB'],
      ['50,000', '11', '700 MB'],
    ]);
  });
});
