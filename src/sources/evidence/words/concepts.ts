import { englishStem } from './english';

/** Words of one meaning in both languages: name, opposite, English words, beginnings of Korean words. */
const GROUPS: readonly [string, string, string, string][] = [
  [
    'up',
    'down',
    'rise increase grow growth climb gain jump surge soar higher expand expansion',
    '증가 상승 늘 오르 올라 올랐 급증 급등 성장 확대',
  ],
  [
    'down',
    'up',
    'fall decrease decline drop shrink lower plunge slump reduce reduction',
    '감소 하락 줄 내리 내려 떨어 급감 급락 축소',
  ],
  ['more', 'less', 'more most exceed outnumber', '많'],
  ['less', 'more', 'less least fewer few', '적은 적다 적었 적게'],
  [
    'large',
    'small',
    'large larger largest big bigger biggest',
    '큰 크다 컸 최대 가장',
  ],
  ['small', 'large', 'small smaller smallest', '작은 작다 작았 최소'],
  ['high', 'low', 'high highest maximum', '높 최고'],
  ['low', 'high', 'low lowest minimum', '낮 최저'],
  ['before', 'after', 'before prior earlier preceding', '이전 앞서 전에'],
  ['after', 'before', 'after later following subsequent', '이후 뒤에 나중'],
  [
    'open',
    'close',
    'open opened opening',
    '개장 개관 개업 열었 열렸 열린 열고 열리',
  ],
  [
    'close',
    'open',
    'close closed closing closure shut',
    '폐장 폐관 폐업 닫 폐쇄',
  ],
  ['start', 'end', 'start begin launch commence', '시작 착수'],
  [
    'end',
    'start',
    'end finish stop cease terminate',
    '종료 끝나 끝났 중단 마쳤',
  ],
  ['first', 'last', 'first earliest', '최초 처음 첫'],
  ['last', 'first', 'last final latest', '마지막 최후'],
  ['profit', 'loss', 'profit profitable surplus', '흑자 이익'],
  ['loss', 'profit', 'loss losses deficit unprofitable', '적자 손실'],
  ['win', 'lose', 'win victory', '승리 이겼 우승'],
  ['lose', 'win', 'lose defeat', '패배 졌다 패했'],
  ['allow', 'forbid', 'allow permit enable legal', '허용 허가 합법'],
  ['forbid', 'allow', 'forbid prohibit ban illegal banned', '금지 불허 불법'],
  ['pass', 'fail', 'pass succeed success successful', '성공 통과'],
  ['fail', 'pass', 'fail failure unsuccessful', '실패 부결'],
  ['buy', 'sell', 'buy purchase acquire acquisition', '구매 매입 인수 샀'],
  ['sell', 'buy', 'sell sale sold sales', '판매 팔 매각'],
  ['import', 'export', 'import', '수입'],
  ['export', 'import', 'export', '수출'],
  ['support', 'oppose', 'support supporter favor favour', '지지 찬성 지원'],
  ['oppose', 'support', 'oppose opponent opposition', '반대'],
  ['include', 'exclude', 'include contain comprise', '포함'],
  ['exclude', 'include', 'exclude omit', '제외'],
  ['good', 'bad', 'good better best benefit', '좋'],
  ['bad', 'good', 'bad worse worst harm', '나쁘 나쁜 악화'],
  ['safe', 'dangerous', 'safe safety', '안전'],
  ['dangerous', 'safe', 'danger dangerous unsafe', '위험'],
  ['fast', 'slow', 'fast faster fastest quick', '빠르 빠른 빨'],
  ['slow', 'fast', 'slow slower slowest', '느리 느린'],
  [
    'found',
    '',
    'found founded establish established set-up create created',
    '설립 창립 세워 세운 세웠 창설 만들 만든',
  ],
  [
    'release',
    '',
    'release released launch launched publish published unveil',
    '출시 발표 공개 발매 내놓',
  ],
  ['revenue', '', 'revenue turnover', '매출'],
  ['population', '', 'population inhabitant resident', '인구 주민'],
  [
    'employ',
    '',
    'employ employee worker staff workforce',
    '직원 근로자 고용 임직원',
  ],
  ['use', '', 'use used using user utilize', '사용 이용'],
  ['need', '', 'need require requires necessary', '필요 요구'],
  ['share', '', 'account share proportion', '비중 비율 차지'],
  ['make', '', 'produce manufacture production', '생산 제조'],
  ['store', '', 'store save keep', '저장 보관'],
  ['spread', '', 'spread popular popularize', '퍼졌 보급 대중화 확산'],
];

/** Words that bound a statement to a part, or extend it to a whole: they cannot be dropped or added. */
const SCOPES: readonly [string, string, string][] = [
  [
    'all',
    'all every always entire entirely everyone everything',
    '모든 모두 항상 언제나 전부 전원',
  ],
  [
    'most',
    'most mostly mainly majority largely primarily',
    '대부분 대다수 과반 주로 대체로',
  ],
  [
    'some',
    'some partly partially sometimes occasionally several',
    '일부 부분적 때로',
  ],
  ['only', 'only solely exclusively merely', '오직 유일 오로지 단지 뿐'],
  ['half', 'half', '절반'],
  ['double', 'double doubled twice', '두배 갑절'],
];

const english = new Map<string, string[]>();
const korean: [string, string][] = [];
const opposites = new Map<string, string>();
for (const [name, opposite, en, ko] of GROUPS) {
  if (opposite) opposites.set(name, opposite);
  add(name, en, ko);
}
for (const [name, en, ko] of SCOPES) add(`scope:${name}`, en, ko);

function add(name: string, en: string, ko: string): void {
  for (const word of en.split(' ')) {
    const stem = englishStem(word);
    english.set(stem, [...(english.get(stem) ?? []), name]);
  }
  for (const word of ko.split(' ')) korean.push([word, name]);
}

export function conceptsOf(word: string, stem: string): readonly string[] {
  if (/^[가-힣]/.test(word))
    return korean
      .filter(([start]) => word.startsWith(start))
      .map(([, name]) => name);
  return english.get(stem) ?? [];
}

export function oppositeOf(concept: string): string | undefined {
  return opposites.get(concept);
}
