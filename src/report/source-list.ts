/** A source as the text of a report lists it. */
export interface ListedSource {
  /** What the text shows: `[1]`. */
  number: number;
  /** In Markdown. */
  title: string;
  /** Host, dates and the like, in plain text. */
  about: readonly string[];
  /** None of a private file. */
  target?: string;
}

const TITLE = 'Sources';
/** By the primary subtag of the language of the report. */
const TITLES: Record<string, string> = { ko: '출처' };

/** Closes a report: what its marks stand for, and the definitions that make links of them. */
export function sourceList(
  sources: readonly ListedSource[],
  language: string,
): string {
  const lines = sources.map(
    ({ number, title, about }) =>
      `- [${number}] ${[title, ...about].join(', ')}`,
  );
  const definitions = sources.flatMap(({ number, target }) =>
    target ? `[${number}]: ${target}` : [],
  );
  return [
    `## ${TITLES[language] ?? TITLE}`,
    lines.join('\n'),
    definitions.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const LIST =
  /\n\n## [^\n]+\n\n- \[\d+\] [^\n]+(?:\n- \[\d+\] [^\n]+)*(?:\n(?:\n\[\d+\]: \S+)+)?\s*$/;

/** A file lists what its report cites in a form of its own. */
export function withoutSourceList(text: string): string {
  const at = text.lastIndexOf('\n\n## ');
  return at < 0 ? text : text.slice(0, at) + text.slice(at).replace(LIST, '');
}
