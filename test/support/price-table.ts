import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Price } from '../../src/config/files/prices';
import { loadConfig } from '../../src/config/load-config';
import { PriceTable } from '../../src/llm/prices/price-table';

/** A file of prices, and how to remove it. */
export function priceFile(models: Record<string, Price>): {
  path: string;
  remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'prices-'));
  const path = join(folder, 'prices.json');
  writeFileSync(path, JSON.stringify({ currency: 'USD', models }));
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

export function priceTable(models: Record<string, Price>): PriceTable {
  const { path, remove } = priceFile(models);
  const config = loadConfig({ RELAY_PRICES_CONFIG: path });
  remove();
  return new PriceTable(config);
}
