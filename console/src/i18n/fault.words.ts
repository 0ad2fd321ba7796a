import type { Schemas } from '../api/client';
import { count } from './format';
import { words } from './language';

export type FieldError = Schemas['Problem']['errors'][number];
type Fault = NonNullable<FieldError['code']>;
/** A fault without words does not compile. */
type FaultWords = Record<Fault, string | ((bound: string) => string)>;

const faultWords = words<FaultWords>({
  en: {
    required: 'is missing',
    unknown_field: 'is not known to the service',
    wrong_type: 'is of the wrong kind',
    wrong_format: 'is not in the form it must have',
    no_choice: 'is none of the choices',
    too_long: (most) => `is too long: ${most} at most`,
    too_short: (least) => `is too short: ${least} at least`,
    too_large: (most) => `is too high: ${most} at most`,
    too_small: (least) => `is too low: ${least} at least`,
    file_encrypted: 'has a password',
    file_empty: 'has no text (a scan needs text recognition)',
    file_too_large: 'takes too much memory to be read',
    file_unreadable: 'is damaged, or takes too long to be read',
    file_unsupported_type: 'is neither a PDF nor a DOCX',
    file_too_long: 'is longer than 500 pages or 1,000,000 characters',
    files_too_long: 'has more text than files may have together',
    needs_agent: 'is possible with the research agent alone',
    needs_search: 'needs a search, which this service does not have',
    needs_price: 'cannot be kept: the price of a model is not known',
    no_private_sources: 'needs private sources, which are not there',
    sources_not_mixed:
      'could send what is in private sources to the web: choose one after the other',
    model_always_searches: 'needs a model that can answer without a search',
    searches_nothing: 'is not possible without a search',
    not_supported_by_model: 'is not possible with the research model',
    no_such_report: 'is gone: there is no such report any more',
    no_words: 'has no words to search for',
    confidential:
      'would not be sent to the web: it holds personal data, a key, or a passage of your documents',
  },
  ko: {
    required: '값이 없습니다',
    unknown_field: '서비스가 모르는 항목입니다',
    wrong_type: '값의 종류가 맞지 않습니다',
    wrong_format: '형식이 맞지 않습니다',
    no_choice: '고를 수 없는 값입니다',
    too_long: (most) => `너무 깁니다 (최대 ${most})`,
    too_short: (least) => `너무 짧습니다 (최소 ${least})`,
    too_large: (most) => `너무 큽니다 (최대 ${most})`,
    too_small: (least) => `너무 작습니다 (최소 ${least})`,
    file_encrypted: '암호가 걸려 있습니다',
    file_empty: '글자가 없습니다 (스캔한 문서는 문자 인식이 필요합니다)',
    file_too_large: '읽는 데 메모리가 너무 많이 듭니다',
    file_unreadable: '손상되었거나 읽는 데 너무 오래 걸립니다',
    file_unsupported_type: 'PDF도 DOCX도 아닙니다',
    file_too_long: '500쪽이나 1,000,000자를 넘습니다',
    files_too_long: '파일의 글을 모두 합하면 너무 많습니다',
    needs_agent: '조사 에이전트만 할 수 있습니다',
    needs_search: '검색이 필요한데 이 서비스에는 없습니다',
    needs_price: '모델의 가격을 몰라 지킬 수 없습니다',
    no_private_sources: '비공개 자료가 필요한데 없습니다',
    sources_not_mixed:
      '비공개 자료의 내용이 웹으로 보내질 수 있으니 차례로 쓰도록 고르세요',
    model_always_searches: '검색 없이 답할 수 있는 모델이 필요합니다',
    searches_nothing: '검색 없이는 할 수 없습니다',
    not_supported_by_model: '조사 모델이 할 수 없습니다',
    no_such_report: '이제 없는 보고서입니다',
    no_words: '검색할 낱말이 없습니다',
    confidential:
      '개인 정보나 키, 문서의 구절이 들어 있어 웹으로 보내지 않습니다',
  },
});

/** What is wrong with a field, in the language of the page where the fault has a code. */
export function faultText({ code, bound, message }: FieldError): string {
  const known = code && (faultWords() as Partial<FaultWords>)[code];
  if (typeof known !== 'function') return known ?? message;
  // A limit that is not stated is in no sentence.
  return bound === undefined ? message : known(count(bound));
}
