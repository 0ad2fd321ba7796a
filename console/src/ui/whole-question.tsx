import { common } from '../i18n/common.words';

const LONG = 240;

/** A question below the title that stands for it; nothing where the two are the same. */
export function WholeQuestion({
  question,
  title,
}: {
  question: string | null;
  title: string;
}) {
  if (question === null || question === title) return null;
  if (question.length <= LONG) return <p class="muted no-print">{question}</p>;
  return (
    <details class="muted no-print">
      <summary>{common().wholeQuestion}</summary>
      <p class="whole">{question}</p>
    </details>
  );
}
