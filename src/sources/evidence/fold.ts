/** A text in a form in which white space, quotation marks, hyphens, case and Unicode forms do not count. */
export interface Folded {
  readonly text: string;
  /** Folded offset -> UTF-16 offset in the original; one more than the text has characters. */
  readonly starts: Int32Array;
}

/** Longer stacks of combining marks are taken apart, so that no input makes one long normalisation. */
const MAX_CLUSTER = 32;
const MAX_CACHED = 4096;

const forms = new Map<string, string>();

/** Folds in one pass. Numbers never become equal: superscripts, circled digits and fractions stay as they are. */
export function fold(text: string): Folded {
  const out = new Writer(text.length);
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (isPlain(code) && !(next >= 0x300 && extendsCluster(next))) {
      out.put(foldPlain(code), at);
      at += 1;
      continue;
    }
    const end = clusterEnd(text, at);
    out.write(formOf(text.slice(at, end)), at);
    at = end;
  }
  return out.finish(text.length);
}

/** Where the character that begins at `start`, with its combining marks, ends. */
export function clusterEnd(text: string, start: number): number {
  let end = start + widthAt(text, start);
  const limit = Math.min(text.length, start + MAX_CLUSTER);
  while (end < limit && extendsCluster(text.codePointAt(end) ?? 0))
    end += widthAt(text, end);
  return end;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** ASCII and Hangul syllables are copied without a look into the tables of Unicode. */
function isPlain(code: number): boolean {
  return code < 0x80 || (code >= 0xac00 && code <= 0xd7a3);
}

function foldPlain(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  if (code === 0x22 || code === 0x60) return 0x27;
  return code <= 0x20 || code === 0x7f ? 0x20 : code;
}

/** Combining marks, and the vowels and finals of decomposed Hangul. */
function extendsCluster(code: number): boolean {
  if (code < 0x300) return false;
  if (code >= 0xac00 && code <= 0xd7a3) return false;
  return (
    (code >= 0x1160 && code <= 0x11ff) ||
    (!isInvisible(code) && /^\p{M}$/u.test(String.fromCodePoint(code)))
  );
}

function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x180e ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff
  );
}

function formOf(cluster: string): string {
  const known = forms.get(cluster);
  if (known !== undefined) return known;
  const form = normalForm(cluster);
  if (forms.size >= MAX_CACHED) forms.clear();
  forms.set(cluster, form);
  return form;
}

function normalForm(cluster: string): string {
  if (isInvisible(cluster.codePointAt(0) ?? 0)) return '';
  if (/^[\s\u0085]/.test(cluster)) return ' ';
  if (/^[‘’‚‛“”„‟′″«»‹›`´「」『』＂＇〝〞]$/.test(cluster)) return "'";
  if (/^[\p{Pd}\u2212\u2043]$/u.test(cluster)) return '-';
  const form = cluster.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  const isDigitLike = /\d/.test(form) && !/^[\uff10-\uff19\d]/.test(cluster);
  return isDigitLike ? cluster.toLowerCase() : form;
}

class Writer {
  private units: Uint16Array;
  private starts: Int32Array;
  private length = 0;

  constructor(expected: number) {
    this.units = new Uint16Array(expected + 16);
    this.starts = new Int32Array(expected + 17);
  }

  write(form: string, at: number): void {
    for (let i = 0; i < form.length; i += 1) this.put(form.charCodeAt(i), at);
  }

  /** A run of white space is one space, at its first character. */
  put(unit: number, at: number): void {
    if (unit === 0x20 && this.units[this.length - 1] === 0x20) return;
    if (this.length + 2 > this.units.length) this.grow();
    this.units[this.length] = unit;
    this.starts[this.length] = at;
    this.length += 1;
  }

  finish(end: number): Folded {
    this.starts[this.length] = end;
    const bytes = Buffer.from(this.units.buffer, 0, this.length * 2);
    return {
      text: bytes.toString('utf16le'),
      starts: this.starts.subarray(0, this.length + 1),
    };
  }

  private grow(): void {
    const size = this.units.length * 2;
    const units = new Uint16Array(size);
    const starts = new Int32Array(size + 1);
    units.set(this.units);
    starts.set(this.starts);
    this.units = units;
    this.starts = starts;
  }
}
