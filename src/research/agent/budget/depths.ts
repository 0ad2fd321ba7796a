import type { Budget, Depth } from '../../arguments/budget';

/** How much one depth does at most. */
export interface DepthLimits {
  directions: number;
  /** Per direction in the first round. */
  queries: number;
  searches: number;
  pages: number;
  /** Of `pages`, those of each round that closes gaps. */
  gapPages: number;
  gapRounds: number;
  /** Before reading, a model chooses among the pages that were found. */
  chooses: boolean;
  /** Parts of one page that are read. */
  windows: number;
  sections: number;
  /** Of the whole report, where the order names no length: at least and at most. */
  words: readonly [least: number, most: number];
  tokens: number;
}

export const DEPTH_LIMITS: Record<Depth, DepthLimits> = {
  quick: {
    directions: 2,
    queries: 1,
    searches: 2,
    pages: 4,
    gapPages: 0,
    gapRounds: 0,
    chooses: false,
    windows: 1,
    sections: 3,
    words: [150, 400],
    tokens: 150_000,
  },
  standard: {
    directions: 4,
    queries: 2,
    searches: 12,
    pages: 16,
    gapPages: 5,
    gapRounds: 1,
    chooses: true,
    windows: 2,
    sections: 8,
    words: [800, 1_500],
    tokens: 800_000,
  },
  deep: {
    directions: 6,
    queries: 3,
    searches: 30,
    pages: 40,
    gapPages: 8,
    gapRounds: 2,
    chooses: true,
    windows: 3,
    sections: 14,
    words: [2_000, 5_000],
    tokens: 3_000_000,
  },
};

/** Of the caller's limits those that are narrower; tokens are as many as it asks for. */
export function limitsWithin(depth: DepthLimits, budget: Budget): DepthLimits {
  return {
    ...depth,
    searches: Math.min(depth.searches, budget.max_searches ?? Infinity),
    pages: Math.min(depth.pages, budget.max_pages ?? Infinity),
    tokens: budget.max_tokens ?? depth.tokens,
  };
}
