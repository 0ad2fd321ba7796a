/** Characters of the end of a text in which a loop is looked for. */
const WINDOW = 8_000;
/** A loop repeats so many characters, and so often: a short unit more often than a passage. */
const LOOPS = [
  { chars: 2_000, times: 8 },
  { chars: 4_000, times: 4 },
];
const CHECKED_EVERY = 500;

/**
 * Where a text that ends in the same words again and again is to be cut: after the second time. Undefined if it does not.
 * In time proportional to its length.
 */
export function endBeforeLoop(text: string): number | undefined {
  const tail = text.slice(-WINDOW);
  const { length } = tail;
  if (length < LOOPS[0].chars) return undefined;
  const at = (index: number): number => tail.charCodeAt(length - 1 - index);
  // borders[n]: the longest proper prefix of the first n characters, from the end on, that is also their suffix.
  const borders = new Uint16Array(length + 1);
  let found: { start: number; period: number } | undefined;
  for (let index = 1, border = 0; index < length; index += 1) {
    while (border > 0 && at(index) !== at(border)) border = borders[border];
    if (at(index) === at(border)) border += 1;
    borders[index + 1] = border;
    const repeated = index + 1;
    const period = repeated - border;
    const loops = LOOPS.some(
      ({ chars, times }) => repeated >= chars && repeated >= times * period,
    );
    if (loops) found = { start: text.length - repeated, period };
  }
  if (!found) return undefined;
  let { start } = found;
  const { period } = found;
  while (start > 0 && text[start - 1] === text[start - 1 + period]) start -= 1;
  return start + 2 * period;
}

/** Notices the loop of a text as it arrives. */
export class LoopWatch {
  private text = '';
  private unchecked = 0;

  /** Returns whether the text loops. */
  add(more: string): boolean {
    this.text = (this.text + more).slice(-WINDOW);
    this.unchecked += more.length;
    if (this.unchecked < CHECKED_EVERY) return false;
    this.unchecked = 0;
    return endBeforeLoop(this.text) !== undefined;
  }
}
