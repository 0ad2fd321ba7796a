import { useState } from 'preact/hooks';
import { ApiError } from '../api/problem';
import { faultText, type FieldError } from '../i18n/fault.words';
import { fileSize } from '../i18n/format';
import type { DraftDocument } from './draft';
import { askWords } from './ask.words';

const MEGABYTE = 1_000_000;
/** Megabytes of all together: the body of a request, which has them in base64, has no room for more. */
const MOST = 3;
/** What the service reads; everything else is a text. */
const READ_BY_SERVICE = /\.(pdf|docx)$/i;

/** What the service says of documents, by their places. */
export function documentFaults(error: unknown): Record<number, FieldError> {
  const errors = error instanceof ApiError ? (error.problem?.errors ?? []) : [];
  return Object.fromEntries(
    errors.flatMap((fault) => {
      const [, at] = /^arguments\.documents\.(\d+)\b/.exec(fault.path) ?? [];
      return at === undefined ? [] : [[Number(at), fault]];
    }),
  );
}

/** Files of the user, by drop or by choice. */
export function Documents({
  documents,
  faults,
  onChange,
}: {
  documents: DraftDocument[];
  faults: Record<number, FieldError>;
  onChange: (documents: DraftDocument[]) => void;
}) {
  const w = askWords();
  const [fault, setFault] = useState<string>();
  const [isOver, setOver] = useState(false);

  const add = async (files: Iterable<File>): Promise<void> => {
    setFault(undefined);
    const read: DraftDocument[] = [];
    let total = documents.reduce((sum, one) => sum + sizeOf(one), 0);
    for (const file of files) {
      const { name: title, size } = file;
      const isBinary = READ_BY_SERVICE.test(title);
      const most = isBinary ? MOST : 1;
      if (size > most * MEGABYTE) {
        setFault(w.tooLarge(title, most));
        continue;
      }
      if (total + size > MOST * MEGABYTE) {
        setFault(w.tooMany(title, MOST));
        continue;
      }
      total += size;
      if (isBinary) {
        read.push({ title, size, file_data: await dataUrlOf(file) });
        continue;
      }
      const text = await file.text();
      if (text.includes('\0') || text.includes('\ufffd'))
        setFault(w.notText(title));
      else if (text.trim() !== '') read.push({ title, size, text });
    }
    onChange([...documents, ...read]);
  };

  return (
    <div class="field">
      <span id="documents-label">{w.documents}</span>
      <div
        class={isOver ? 'drop over' : 'drop'}
        role="group"
        aria-labelledby="documents-label"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void add(event.dataTransfer?.files ?? []);
        }}
      >
        <label class="button">
          {w.choose}
          <input
            class="hidden-text"
            type="file"
            multiple
            accept=".pdf,.docx,text/*,.md,.csv,.json,.html,.xml,.yaml,.log"
            onChange={(event) => {
              const { files } = event.currentTarget;
              void add([...(files ?? [])]);
              event.currentTarget.value = '';
            }}
          />
        </label>
        <span class="muted tiny">{w.drop}</span>
      </div>
      {documents.length > 0 && (
        <ul class="files">
          {documents.map((one, at) => (
            <li key={`${at}/${one.title}`}>
              <span>
                {one.title}{' '}
                {one.size !== undefined && (
                  <span class="muted tiny num">{fileSize(one.size)}</span>
                )}
                {faults[at] && (
                  <span class="fault"> {faultText(faults[at])}</span>
                )}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={w.remove(one.title)}
                onClick={() => onChange(documents.filter((_, n) => n !== at))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

/** Of a document that an earlier version of the draft kept, its characters. */
function sizeOf({ size, text = '' }: DraftDocument): number {
  return size ?? text.length;
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
}
