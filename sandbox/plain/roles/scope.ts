import { languageOf } from '../../corpus/language';
import { keywordsOf } from '../extract';
import { wishesIn } from '../role-inputs';
import type { RoleRequest, Scope } from '../role.types';

const QUICK =
  /\b(quick(ly)?|brief(ly)?|in short|one sentence)\b|간단|짧게|한 문장/i;
const DEEP =
  /\b(in (detail|depth)|deep(ly)?|thorough(ly)?|comprehensive(ly)?)\b|자세|상세|심층|깊이/i;
const QUICK_WORDS = 5;
const DEEP_WORDS = 40;
const MOST_QUESTIONS = 6;
const LEAD =
  /^\s*(please\s+)?(research|investigate)(\s+in (detail|depth))?\s*:?\s*|^\s*(자세히|상세히)?\s*조사해\s*(줘|주세요)\s*:?\s*/i;
const EXCLUDED = [
  /\b(?:except(?: for)?|excluding|leave out) ([^,.;?!\n]{2,60})/gi,
  /(\S+)\s*(?:제외|빼고)/g,
];
/** What a report may be asked to hold, in the words of the question. */
const DELIVERABLES =
  /\b(?:(?:comparison )?table|timeline|steps?|recommendations?|checklist|at most \d+ words)\b|비교표|표로|연표|단계별|추천|체크리스트|\d+자 이내/gi;
const RECENCY: [RegExp, Scope['recency']][] = [
  [/\b(today|last 24 hours)\b|오늘/i, 'day'],
  [/\b(this|last|past) week\b|이번 주|지난주/i, 'week'],
  [/\b(this|last|past) month\b|이번 달|지난달/i, 'month'],
  [/\b(this|last|past) year\b|올해|작년|최근/i, 'year'],
];

export function scope({ data }: RoleRequest): Scope {
  const question = data.text('question').trim();
  const wishes = wishesIn(data);
  const goal = question.split('\n')[0].replace(LEAD, '').trim() || question;
  const language = languageIn(question, wishes);
  const depth = depthOf(question);
  const questions = subQuestions(question, goal, language, depth);
  const asked = `${question}\n${wishes}`.match(DELIVERABLES) ?? [];
  return {
    goal,
    sub_questions: questions,
    language,
    recency: RECENCY.find(([sign]) => sign.test(question))?.[1] ?? 'any',
    excluded: EXCLUDED.flatMap((sign) =>
      [...`${question}\n${wishes}`.matchAll(sign)].map(([, what]) =>
        what.trim(),
      ),
    ),
    depth,
    order: [...new Set(asked)].slice(0, 8),
    criteria: questions,
  };
}

/** By what the wishes say, else by script. */
function languageIn(question: string, wishes: string): string {
  if (/\bin english\b|영어로/i.test(wishes)) return 'en';
  if (/\bin korean\b|한국어로/i.test(wishes)) return 'ko';
  if (/[\u3040-\u30ff]/.test(question)) return 'ja';
  if (/\p{Script=Han}/u.test(question) && !/[가-힣a-z]/i.test(question))
    return 'zh';
  return languageOf(question);
}

function depthOf(question: string): Scope['depth'] {
  if (QUICK.test(question)) return 'quick';
  if (DEEP.test(question)) return 'deep';
  const words = question.split(/\s+/).length;
  if (words <= QUICK_WORDS) return 'quick';
  return words >= DEEP_WORDS ? 'deep' : 'standard';
}

/** The questions and list lines of the question itself; a single one is asked from several sides. */
function subQuestions(
  question: string,
  goal: string,
  language: string,
  depth: Scope['depth'],
): string[] {
  const listed = [...question.matchAll(/^\s*(?:[-*]|\d+[.)])\s+(.+?)\s*$/gm)];
  const asked = [...question.matchAll(/[^.?!\n]+\?/g)];
  const own = [
    ...(listed.length > 1 ? listed.map(([, line]) => line) : []),
    ...(listed.length < 2 && asked.length > 1
      ? asked.map(([sentence]) => sentence.trim())
      : []),
  ];
  if (own.length > 0) return own.slice(0, MOST_QUESTIONS);
  const topic = keywordsOf(goal);
  if (depth === 'quick' || topic === '') return [goal];
  const sides =
    language === 'ko'
      ? [`${topic}의 시작`, `${topic}의 오늘`, `${topic}의 특징`]
      : [
          `How did ${topic} begin?`,
          `What is ${topic} today?`,
          `Why is ${topic} important?`,
        ];
  return [goal, ...sides.slice(0, depth === 'deep' ? 3 : 2)];
}
