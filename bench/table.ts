/** One row of the result. */
export interface Figure {
  what: string;
  sonde: string;
  bare: string;
  /** Against the bare variant; empty where a ratio means nothing. */
  ratio: string;
  aim?: string;
}

const HEAD: Figure = {
  what: 'measured',
  sonde: 'Sonde',
  bare: 'bare',
  ratio: 'ratio',
  aim: 'aim',
};

export function toTable(figures: readonly Figure[]): string {
  return markdown([HEAD, ...figures].map(cells));
}

/** A table whose columns are aligned. The first row is its head. */
export function markdown(rows: readonly string[][]): string {
  const widths = rows[0].map((_, i) =>
    Math.max(...rows.map((row) => row[i].length)),
  );
  const line = (row: string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...rest] = rows.map(line);
  return [head, rule, ...rest].join('\n');
}

/** More than three digits would be noise. */
export function round(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(value < 1 ? 2 : 3);
}

function cells({ what, sonde, bare, ratio, aim = '' }: Figure): string[] {
  return [what, sonde, bare, ratio, aim];
}
