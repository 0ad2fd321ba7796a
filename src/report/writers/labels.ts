import type { ReportCitation, ReportDocument } from '../report.types';

interface Labels {
  untitled: string;
  citations: string;
  consulted: string;
  read: string;
  purged: string;
  around: string;
  incomplete: string;
  limits: string;
  completed: string;
  verdicts: Record<string, string>;
}

const ENGLISH: Labels = {
  untitled: 'Research report',
  citations: 'Citations',
  consulted: 'Also consulted',
  read: 'read',
  purged: 'the page was purged, its quote with it',
  around: 'The text around it',
  incomplete: 'This report is incomplete.',
  limits: 'Limits that were reached',
  completed: 'Completed',
  verdicts: {
    quote_matched: 'matches the quote',
    number_differs: 'a number differs from the quote',
    polarity_differs: 'a negation differs from the quote',
    unanchored: 'not found in the quote',
    derived: 'computed from the quote',
  },
};

const KOREAN: Labels = {
  untitled: '조사 보고서',
  citations: '인용',
  consulted: '그 밖에 참고한 자료',
  read: '읽은 때',
  purged: '페이지가 삭제되어 인용문도 지워졌습니다',
  around: '앞뒤 글',
  incomplete: '완성되지 않은 보고서입니다.',
  limits: '도달한 한도',
  completed: '완료',
  verdicts: {
    quote_matched: '인용문과 일치',
    number_differs: '숫자가 인용문과 다름',
    polarity_differs: '부정 표현이 인용문과 다름',
    unanchored: '인용문에서 찾지 못함',
    derived: '인용문에서 계산함',
  },
};

export function labelsOf({ language }: ReportDocument): Labels {
  return language === 'ko' ? KOREAN : ENGLISH;
}

export function titleOf(document: ReportDocument): string {
  return document.title || labelsOf(document).untitled;
}

/** What stands below the title. */
export function notesOf(document: ReportDocument): string[] {
  const { incomplete, reason, limits_reached, model, completed_at } = document;
  const { limits, completed, ...labels } = labelsOf(document);
  const reached = `${limits}: ${limits_reached.join(', ')}`;
  const when = completed_at && `${completed}: ${shownTime(completed_at)}`;
  return [
    ...(incomplete ? [`${labels.incomplete} ${reason ?? ''}`.trim()] : []),
    ...(limits_reached.length > 0 ? [reached] : []),
    [when, model].filter(Boolean).join(' · '),
  ].filter((note) => note !== '');
}

/** When the page was read, and how the sentence compares with it. */
export function remarksOn(
  { read_at, verdict, purged }: ReportCitation,
  document: ReportDocument,
): string {
  const labels = labelsOf(document);
  return [
    read_at && `${labels.read} ${shownTime(read_at)}`,
    verdict && (labels.verdicts[verdict] ?? verdict),
    purged && labels.purged,
  ]
    .filter(Boolean)
    .join('; ');
}

function shownTime(rfc3339: string): string {
  return `${rfc3339.slice(0, 16).replace('T', ' ')} UTC`;
}
