import { named } from '../i18n/language';
import { common } from '../i18n/common.words';

/** A status in words; its dot only repeats it. */
export function StatusPill({ status }: { status: string }) {
  return (
    <span class={`pill status-${status}`}>
      <span class="dot" aria-hidden="true" />
      {named(common().status, status)}
    </span>
  );
}
