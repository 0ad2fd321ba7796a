import { useEffect, useRef, useState } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { Dialog } from './dialog';

/** Copies; where the browser denies the clipboard, shows the text selected. */
export function CopyButton({
  label,
  text,
}: {
  label: string;
  text: () => string;
}) {
  const [copied, setCopied] = useState(false);
  const [denied, setDenied] = useState<string>();
  const copy = async (): Promise<void> => {
    const content = text();
    try {
      // Plain HTTP has no clipboard.
      await navigator.clipboard.writeText(content);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      setDenied(content);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        <span aria-live="polite">{copied ? common().copied : label}</span>
      </button>
      {denied !== undefined && (
        <Dialog title={label} onClose={() => setDenied(undefined)}>
          <Selected text={denied} />
          <button type="button" onClick={() => setDenied(undefined)}>
            {common().close}
          </button>
        </Dialog>
      )}
    </>
  );
}

function Selected({ text }: { text: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Once the dialog has given the focus to its first field.
    field.current!.focus();
    field.current!.select();
  }, []);
  return (
    <label class="field">
      <span>{common().copyByHand}</span>
      <textarea
        ref={field}
        readOnly
        rows={Math.min(10, text.split('\n').length + 1)}
        value={text}
      />
    </label>
  );
}
