import { bareUrlAt, URL_START } from './bare.urls';
import { addressOf, inlineDestination } from './link.destination';

const REMOVED = '[link removed]';
const TOKEN = String.raw`\\[[\]\\<]|!?\[|\]|${URL_START}`;
const DEFINITION = /:[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|(\S+))/y;

/** One pass over a text in Markdown that takes out the links to pages that are not allowed, and leaves their words. */
export class LinkScan {
  /** How many links were taken out. */
  removed = 0;
  private readonly pieces: string[] = [];
  /** Where in `pieces` the brackets are that were not closed yet. */
  private readonly open: { piece: number; startsLine: boolean }[] = [];
  private lastWords = -1;
  /** How much of the text was seen to. */
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly isAllowed: (url: string) => boolean,
  ) {}

  run(): string {
    const token = new RegExp(TOKEN, 'gi');
    for (let hit = token.exec(this.text); hit; hit = token.exec(this.text)) {
      const [found] = hit;
      if (/^!?\[$/.test(found)) this.bracket(hit.index, found);
      else if (found === ']') this.close(hit.index);
      else if (!found.startsWith('\\'))
        this.bareUrl(hit.index, token.lastIndex);
      token.lastIndex = Math.max(this.at, token.lastIndex);
    }
    this.keepUntil(this.text.length);
    return this.pieces.join('');
  }

  private bracket(index: number, found: string): void {
    this.keepUntil(index);
    const startsLine = index === 0 || this.text[index - 1] === '\n';
    this.open.push({ piece: this.pieces.length, startsLine });
    this.keepUntil(index + found.length);
  }

  private close(index: number): void {
    const opened = this.open.pop();
    if (!opened) return;
    const link = inlineDestination(this.text, index + 1);
    if (link) {
      const allowed = this.allows(addressOf(link.destination));
      this.keepUntil(index);
      if (allowed) return this.keepUntil(link.destinationEnd);
      this.removed += 1;
      this.pieces[opened.piece] = '';
      if (this.lastWords <= opened.piece) this.put(REMOVED);
      this.at = link.end;
    } else if (opened.startsLine) {
      DEFINITION.lastIndex = index + 1;
      const [whole, inBrackets, plain] = DEFINITION.exec(this.text) ?? [];
      const destination = inBrackets ?? plain;
      // A note such as "[Note]: a:b" is no address.
      if (destination === undefined || !/^\W|^www\./i.test(destination)) return;
      if (this.allows(addressOf(destination))) return;
      this.removed += 1;
      this.keepUntil(index + 1);
      this.put(`: ${REMOVED}`);
      this.at = index + 1 + whole!.length;
    }
  }

  private bareUrl(index: number, afterStart: number): void {
    const { end, readings } = bareUrlAt(this.text, index, afterStart);
    const allowed = readings.find((url) => this.isAllowed(url));
    if (allowed !== undefined) return this.keepUntil(index + allowed.length);
    const marked = this.text[index - 1] === '<' && this.text[end] === '>';
    this.removed += 1;
    this.keepUntil(marked ? index - 1 : index);
    this.put(REMOVED);
    this.at = marked ? end + 1 : end;
  }

  private allows(address: string | undefined): boolean {
    return address === undefined || this.isAllowed(address);
  }

  private keepUntil(end: number): void {
    if (end <= this.at) return;
    this.put(this.text.slice(this.at, end));
    this.at = end;
  }

  private put(piece: string): void {
    if (/\S/.test(piece)) this.lastWords = this.pieces.length;
    this.pieces.push(piece);
  }
}
