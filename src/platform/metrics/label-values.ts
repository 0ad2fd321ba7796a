/** Stands for every value that is not counted apart. */
export const OTHER = 'other';
const FORM = /^[\w.:/@+-]{1,100}$/;

/**
 * Bounds the values of one label: the known ones, the first `more` others, and `other` for all that follow or are no
 * name. Without a bound every new value would cost the process and Prometheus memory for good.
 */
export class LabelValues {
  private readonly admitted: Set<string>;
  private left: number;

  constructor(known: Iterable<string>, more: number) {
    this.admitted = new Set(known);
    this.left = more;
  }

  /** Admits no other. */
  find(value = ''): string {
    return value === '' || this.admitted.has(value) ? value : OTHER;
  }

  of(value = ''): string {
    if (this.find(value) === value) return value;
    if (this.left === 0 || !FORM.test(value) || value.includes('://'))
      return OTHER;
    this.left -= 1;
    this.admitted.add(value);
    return value;
  }
}
