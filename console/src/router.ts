import { signal } from '@preact/signals';

/** `#/read/inv_…`: the part of the URL that is never sent to a server, so that any path prefix works. */
function readPath(): string[] {
  const parts = location.hash.replace(/^#\/?/, '').split('/');
  try {
    return parts.filter((part) => part !== '').map(decodeURIComponent);
  } catch {
    return parts;
  }
}

/** The parts of the current route. */
export const path = signal(readPath());

window.addEventListener('hashchange', () => {
  const next = readPath();
  const isPlace = next.length > 2;
  path.value = next;
  // A place within a page is scrolled to by the page itself.
  if (!isPlace) window.scrollTo(0, 0);
});

export function hrefOf(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function goTo(...parts: string[]): void {
  location.hash = hrefOf(...parts);
}

/** In place of the current entry: the back button leaves it out. */
export function replaceWith(...parts: string[]): void {
  location.replace(hrefOf(...parts));
}
