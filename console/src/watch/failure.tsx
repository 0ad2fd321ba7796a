import type { Invocation } from '../api/client';
import { common } from '../i18n/common.words';
import { errorWords } from '../i18n/error.words';
import { words, nameOf } from '../i18n/language';
import { hrefOf } from '../router';

const text = words({
  en: {
    retryable: 'Asking again may help.',
  },
  ko: {
    retryable: '다시 질문하면 될 수도 있습니다.',
  },
});

/** Why a run has no report. */
export function Failure({ record }: { record: Invocation }) {
  const w = text();
  const { error, error_message } = record;
  return (
    <div class="error" role="alert">
      <p>{(error && nameOf(errorWords(), error.code)) ?? error_message}</p>
      <p class="tiny">
        {error && <code>{error.code}</code>}
        {error?.retryable && ` ${w.retryable}`}
      </p>
      <a class="button" href={hrefOf('ask', record.invocation_id)}>
        {common().again}
      </a>
    </div>
  );
}
