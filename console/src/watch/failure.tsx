import type { Invocation } from '../api/client';
import { words, nameOf } from '../i18n/language';
import { hrefOf } from '../router';

const text = words({
  en: {
    again: 'Ask again',
    retryable: 'Asking again may help.',
    codes: {
      cancelled: 'You cancelled it, or somebody with the same key did.',
      plan_refused: 'The plan was refused: nothing was searched.',
      search_failed: 'No search engine answered.',
      nothing_found: 'Nothing was found for this question.',
      budget_exceeded: 'The budget of the API key is spent.',
      research_timeout: 'It took longer than it may.',
      ambiguous_submit:
        'It is not known whether the model endpoint has begun it, so it was not begun again.',
    },
  },
  ko: {
    again: '다시 질문하기',
    retryable: '다시 질문하면 될 수도 있습니다.',
    codes: {
      cancelled: '취소했거나, 같은 키를 쓰는 사람이 취소했습니다.',
      plan_refused: '계획이 거절되어 아무것도 검색하지 않았습니다.',
      search_failed: '응답한 검색 엔진이 없습니다.',
      nothing_found: '이 질문에 대해 찾은 것이 없습니다.',
      budget_exceeded: 'API 키의 예산을 모두 썼습니다.',
      research_timeout: '허용된 시간보다 오래 걸렸습니다.',
      ambiguous_submit:
        '모델 엔드포인트가 시작했는지 알 수 없어 다시 시작하지 않았습니다.',
    },
  },
});

/** Why a run has no report. */
export function Failure({ record }: { record: Invocation }) {
  const w = text();
  const { error, error_message } = record;
  return (
    <div class="error" role="alert">
      <p>{(error && nameOf(w.codes, error.code)) ?? error_message}</p>
      <p class="tiny">
        {error && <code>{error.code}</code>}
        {error?.retryable && ` ${w.retryable}`}
      </p>
      <a class="button" href={hrefOf('ask')}>
        {w.again}
      </a>
    </div>
  );
}
