import type { Decimal } from './decimal';

/** Fields that a text states; a date with fewer fields is implied by one with more. */
export interface DateParts {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly quarter?: number;
  readonly half?: number;
  readonly decade?: number;
  readonly century?: number;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface NumberQuantity extends Place {
  readonly kind: 'number';
  readonly value: Decimal;
  /** Canonical; empty where the text names none. `value` is in it, by `factor`. */
  readonly unit: string;
  readonly factor: Decimal;
  /** A unit that only says what is counted ("people", "명"): it may be missing on one side. */
  readonly counted: string;
  readonly bound: 'exact' | 'about' | 'min' | 'max';
  /** The end of a range. */
  readonly edge?: 'low' | 'high';
  readonly relation: string;
  /** Four bare digits, which may be a year. */
  readonly isYearLike: boolean;
}

export interface DateQuantity extends Place {
  readonly kind: 'date';
  readonly date: DateParts;
}

/** A numeral without a normal form: a ratio, a clock time, a version, `1,5`, `10²`. It matches itself alone. */
export interface LiteralQuantity extends Place {
  readonly kind: 'literal';
  readonly text: string;
}

export type Quantity = NumberQuantity | DateQuantity | LiteralQuantity;
