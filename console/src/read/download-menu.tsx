import { named } from '../i18n/language';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../api/client';
import { common } from '../i18n/common.words';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { readWords } from './read.words';

const FORMATS = ['pdf', 'docx', 'md', 'html', 'json'];

/** Files are made by the service; the key is in a header, so a link alone would not do. */
export function DownloadMenu({ id }: { id: string }) {
  const w = readWords();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { run, busy, error } = useAction(async (format: string) => {
    setOpen(false);
    const reply = await request(
      `api/v1/tool-invocations/${encodeURIComponent(id)}/report?format=${format}`,
    );
    const disposition = reply.headers.get('content-disposition');
    save(await reply.blob(), nameIn(disposition) ?? `report.${format}`);
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event): void => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      if (
        event.type === 'pointerdown' &&
        menu.current?.contains(event.target as Node)
      )
        return;
      setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, [isOpen]);
  return (
    <>
      <div class="menu" ref={menu}>
        <button
          type="button"
          class="primary"
          aria-expanded={isOpen}
          disabled={busy}
          onClick={() => setOpen(!isOpen)}
        >
          {busy ? common().loading : `${w.download} ▾`}
        </button>
        {isOpen && (
          <div>
            {FORMATS.map((format) => (
              <button key={format} type="button" onClick={() => run(format)}>
                {named(w.formats, format)}
              </button>
            ))}
          </div>
        )}
      </div>
      <ErrorNote error={error} />
    </>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken the file over once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** As RFC 6266 has it: the extended name first. */
function nameIn(disposition: string | null): string | undefined {
  const [, extended] =
    /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1];
}
