import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { common } from '../i18n/common.words';

/** A screen whose code is loaded when it is first shown. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Found, setFound] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Found) return;
      load().then(
        (component) => {
          loaded = component;
          setFound(() => component);
        },
        () => setFailed(true),
      );
    }, []);
    if (Found) return <Found {...props} />;
    const w = common();
    return (
      <main class="narrow">
        {failed ? (
          <div class="error" role="alert">
            <p>{w.outdated}</p>
            <button type="button" onClick={() => location.reload()}>
              {w.reload}
            </button>
          </div>
        ) : (
          <p class="muted">{w.loading}</p>
        )}
      </main>
    );
  };
}
