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
  checked: string;
  counted: (what: string, count: number) => string;
  ownVerifier: string;
  /** Words for the verdict on a citation, and where verdicts are counted. */
  verdicts: Record<string, { of: string; counted: string }>;
  checkedBy: Record<string, string>;
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
  checked: 'Checked',
  counted: (what, count) => `${count} ${what}`,
  ownVerifier: 'The model that wrote the report judged it.',
  verdicts: {
    quote_matched: { of: 'a sentence of the quote', counted: 'quoted' },
    supported: { of: 'the quote states it', counted: 'supported' },
    derived: { of: 'computed from the quote', counted: 'computed' },
    judgement: { of: 'a judgement from the quote', counted: 'by judgement' },
    partly_supported: {
      of: 'the quote has more to it',
      counted: 'partly supported',
    },
    contradicted: { of: 'the quote says otherwise', counted: 'contradicted' },
    unsupported: { of: 'not stated by the quote', counted: 'unsupported' },
    number_differs: {
      of: 'a number differs from the quote',
      counted: 'with another number',
    },
    text_differs: {
      of: 'words differ from the quote',
      counted: 'with other words',
    },
    unchecked: { of: 'not checked', counted: 'unchecked' },
  },
  checkedBy: { text: 'compared as text', model: 'judged by a model' },
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
  checked: '검사',
  counted: (what, count) => `${what} ${count}`,
  ownVerifier: '보고서를 쓴 모델이 직접 판정했습니다.',
  verdicts: {
    quote_matched: { of: '인용문의 문장 그대로', counted: '원문 그대로' },
    supported: { of: '인용문이 뒷받침함', counted: '뒷받침됨' },
    derived: { of: '인용문에서 계산함', counted: '계산' },
    judgement: { of: '인용문에 근거한 판단', counted: '판단' },
    partly_supported: {
      of: '인용문의 맥락이 빠짐',
      counted: '일부 뒷받침됨',
    },
    contradicted: { of: '인용문과 어긋남', counted: '어긋남' },
    unsupported: { of: '인용문에 없는 내용', counted: '근거 없음' },
    number_differs: { of: '숫자가 인용문과 다름', counted: '숫자 다름' },
    text_differs: { of: '표현이 인용문과 다름', counted: '표현 다름' },
    unchecked: { of: '검사하지 않음', counted: '검사하지 않음' },
  },
  checkedBy: { text: '글자 비교', model: '모델 판정' },
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
    checksOf(document),
  ].filter((note) => note !== '');
}

/** How many sentences have which verdict; empty where none was checked. */
function checksOf(document: ReportDocument): string {
  const { verdicts, verifier, model } = document;
  const labels = labelsOf(document);
  const counts = Object.entries(verdicts).map(([verdict, count]) =>
    labels.counted(labels.verdicts[verdict]?.counted ?? verdict, count),
  );
  if (counts.length === 0) return '';
  const isOwn = verifier !== null && verifier === model;
  return `${labels.checked}: ${counts.join(', ')}${isOwn ? `. ${labels.ownVerifier}` : ''}`;
}

/** When the page was read, and what was found when the sentence was compared with it. */
export function remarksOn(
  { read_at, verdict, detail, checked_by, purged }: ReportCitation,
  document: ReportDocument,
): string {
  const labels = labelsOf(document);
  const found = verdict && (labels.verdicts[verdict]?.of ?? verdict);
  return [
    read_at && `${labels.read} ${shownTime(read_at)}`,
    found && (detail ? `${found}: “${detail}”` : found),
    checked_by && (labels.checkedBy[checked_by] ?? checked_by),
    purged && labels.purged,
  ]
    .filter(Boolean)
    .join('; ');
}

function shownTime(rfc3339: string): string {
  return `${rfc3339.slice(0, 16).replace('T', ' ')} UTC`;
}
