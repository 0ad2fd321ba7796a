import type { MemoryJournal } from '../../test/support/agent/memory-journal';

/** A part of a page that a run has read, in UTF-16 units of its text. */
export interface ReadPart {
  url: string;
  start: number;
  end: number;
}

interface Opened {
  head?: { url: string; parts: Omit<ReadPart, 'url'>[] };
}

/** The parts that a run has read of the pages that it has opened, as its journal has them. */
export function partsIn({ entries }: MemoryJournal): ReadPart[] {
  return [...entries].flatMap(([key, { value }]) => {
    if (!key.startsWith('page:') || value === undefined) return [];
    const { head } = JSON.parse(value) as Opened;
    return (head?.parts ?? []).flatMap(({ start, end }, at) =>
      entries.has(`${key.replace('page:', 'read:')}:${at}`)
        ? [{ url: head!.url, start, end }]
        : [],
    );
  });
}
