/** Sentences end at a full stop before white space: dots inside numbers, names and URLs do not count. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?。])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
