import { signal } from '@preact/signals';

/** `#/read/inv_…`: the part of the URL that is never sent to a server, so that any path prefix works. */
function readPath(): string[] {
  return location.hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
}

/** The parts of the current route. */
export const path = signal(readPath());

window.addEventListener('hashchange', () => {
  path.value = readPath();
  window.scrollTo(0, 0);
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
