import { useState } from 'preact/hooks';
import type { DraftDocument } from './draft';
import { askWords } from './ask.words';

const MAX_BYTES = 1_000_000;

/** Text files of the user, by drop or by choice. */
export function Documents({
  documents,
  onChange,
}: {
  documents: DraftDocument[];
  onChange: (documents: DraftDocument[]) => void;
}) {
  const w = askWords();
  const [fault, setFault] = useState<string>();
  const [isOver, setOver] = useState(false);

  const add = async (files: Iterable<File>): Promise<void> => {
    setFault(undefined);
    const read: DraftDocument[] = [];
    for (const file of files) {
      if (file.size > MAX_BYTES) {
        setFault(w.tooLarge(file.name));
        continue;
      }
      const text = await file.text();
      if (text.includes('\0') || text.includes('\ufffd'))
        setFault(w.notText(file.name));
      else if (text.trim() !== '') read.push({ title: file.name, text });
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
            accept="text/*,.md,.csv,.json,.html,.xml,.yaml,.log"
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
              <span>{one.title}</span>
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
