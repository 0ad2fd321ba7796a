import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ASSETS = join(__dirname, '../../dist/console/assets');
const MAX_BYTES = 150_000;

it('all of the console is small, compressed', () => {
  const sizes = readdirSync(ASSETS)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => statSync(join(ASSETS, name)).size);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MAX_BYTES);
});
