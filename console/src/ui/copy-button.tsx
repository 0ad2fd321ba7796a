import { useState } from 'preact/hooks';
import { common } from '../i18n/common.words';

export function CopyButton({
  label,
  text,
}: {
  label: string;
  text: () => string;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? common().copied : label}</span>
    </button>
  );
}

/** Plain HTTP has no clipboard but the selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
