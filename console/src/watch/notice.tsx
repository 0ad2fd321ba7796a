import { useEffect, useRef, useState } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { named } from '../i18n/language';
import { watchWords } from './watch.words';

/** Absent on plain HTTP and on some phones. */
const canNotify = 'Notification' in window && window.isSecureContext;

/** Notifies at the end of what is watched, if the user has allowed it and looks at another tab. */
export function useNotice(
  status: string | undefined,
  isOver: boolean,
  question: string,
) {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (status === undefined) return;
    if (!isOver) wasOpen.current = true;
    else if (wasOpen.current && document.hidden) notify(status, question);
  }, [isOver, status === undefined]);
}

function notify(status: string, body: string): void {
  if (!canNotify || Notification.permission !== 'granted') return;
  try {
    const title = named(common().status, status);
    const notice = new Notification(title, { body, tag: location.hash });
    notice.onclick = () => window.focus();
  } catch {
    // Some browsers have it for service workers alone.
  }
}

/** Asks the browser for leave; nothing once that is decided. */
export function NotifyButton() {
  const [permission, setPermission] = useState(
    canNotify ? Notification.permission : 'denied',
  );
  if (permission !== 'default') return null;
  return (
    <button
      type="button"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {watchWords().notify}
    </button>
  );
}
