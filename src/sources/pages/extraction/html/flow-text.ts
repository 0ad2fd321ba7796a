/** Text as a browser lays it out: runs of white space are one space, none at the start of a line. */
export class FlowText {
  private readonly parts: string[] = [];
  private last = '\n';

  get text(): string {
    return this.parts.join('');
  }

  add(text: string, isPreformatted: boolean): void {
    const flat = isPreformatted ? text : text.replace(/\s+/g, ' ');
    const isDouble =
      !isPreformatted && flat.startsWith(' ') && /\s/.test(this.last);
    this.push(isDouble ? flat.slice(1) : flat);
  }

  /** Between lines, or between the cells of one. */
  separate(mark: '\n' | '\t'): void {
    if (mark === '\n' || this.last !== '\n') this.push(mark);
  }

  private push(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.last = text.at(-1)!;
  }
}
