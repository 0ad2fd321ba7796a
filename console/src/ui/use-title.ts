import { useEffect } from 'preact/hooks';

const NAME = 'Sonde';

/** The title of the tab from here on; undefined leaves it as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${NAME}`;
  }, [title]);
}
