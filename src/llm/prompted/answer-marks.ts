/** Marks that models write right before a call in a format they were trained on. */
const MARKS_BEFORE = [
  '<tool_call>',
  '<tool_calls>',
  '<|tool_call|>',
  '<|tool_calls_section_begin|>',
  '<|python_tag|>',
  '<｜tool▁calls▁begin｜>',
  '[TOOL_CALLS]',
  'functools',
];
const MARKS_AFTER = [
  '</tool_call>',
  '</tool_calls>',
  '</function>',
  '<|/tool_call|>',
  '<|tool_call_end|>',
  '<|tool_calls_section_end|>',
  '<｜tool▁call▁end｜>',
  '<｜tool▁calls▁end｜>',
  '<｜end▁of▁sentence｜>',
  '<|call|>',
  '<|end|>',
  '<|eom_id|>',
  '<|eot_id|>',
  '<|im_end|>',
];
/** The beginnings of headers that name the tool: the JSON after them is the arguments alone. */
const HEADER_STARTS = [
  '<function=',
  '<|start|>assistant',
  '<|channel|>',
  '<|tool_call_begin|>',
  '<｜tool▁call▁begin｜>',
];
const HEADERS = [
  /<function=(?<name>[\w.-]+)>$/,
  /\[TOOL_CALLS\]\s*(?<name>[\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?$/,
  /(?:<\|start\|>assistant\s*)?<\|channel\|>\w+\s*to=(?:functions\.)?(?<name>[\w.-]+)\s*(?:(?:<\|constrain\|>)?\s*json)?\s*<\|message\|>$/,
  /<\|start\|>assistant\s*to=(?:functions\.)?(?<name>[\w.-]+)\s*<\|channel\|>\w+\s*(?:(?:<\|constrain\|>)?\s*json)?\s*<\|message\|>$/,
  /<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>$/,
  /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(?<name>[\w.-]+)(?:<｜tool▁sep｜>)?\s*(?:```(?:json)?)?$/,
];
const FENCE = /(?<!`)(`{3,})\w*\s*$/;
const OPENINGS = [...MARKS_BEFORE, ...HEADER_STARTS];
/** The longest header that is waited for, in characters. */
const WINDOW = 200;

/** What precedes a call. */
export interface Opening {
  /** The text before the opening. */
  before: string;
  /** Opened by a mark that only surrounds calls. */
  tagged: boolean;
  /** The number of backticks if a fence opens, else 0. */
  ticks: number;
  /** The name of the tool, if a header contains it. */
  name?: string;
}

/** Splits the text before a call from the marks, headers and fences that open the call. */
export function openingIn(text: string): Opening {
  const opening: Opening = { before: text, tagged: false, ticks: 0 };
  for (;;) {
    const { before } = opening;
    const written = before.trimEnd();
    const tail = written.slice(-WINDOW);
    const header = opening.tagged ? null : headerIn(tail);
    const mark = MARKS_BEFORE.find((one) => written.endsWith(one));
    const fence = FENCE.exec(before);
    if (header) {
      opening.before = written.slice(0, written.length - header[0].length);
      opening.name = header.groups?.name;
      opening.tagged = true;
    } else if (mark) {
      opening.before = written.slice(0, -mark.length);
      opening.tagged = true;
    } else if (fence) {
      opening.before = before.slice(0, fence.index);
      opening.ticks = fence[1].length;
    } else return opening;
  }
}

function headerIn(tail: string): RegExpExecArray | null {
  for (const header of HEADERS) {
    const found = header.exec(tail);
    if (found) return found;
  }
  return null;
}

/** The length of the marks that close a call, and whether more of the text may belong to them. */
export function closingIn(text: string): { length: number; open: boolean } {
  let length = 0;
  for (;;) {
    const rest = text.slice(length);
    const written = rest.trimStart();
    const mark = MARKS_AFTER.find((one) => written.startsWith(one));
    if (!mark) {
      const open =
        written !== '' && MARKS_AFTER.some((one) => one.startsWith(written));
      return { length, open };
    }
    length += rest.length - written.length + mark.length;
  }
}

/** The length of the text that is plain whatever follows: without trailing white space, and without what may open a call. */
export function endOfPlain(text: string): number {
  let end = text.length;
  for (;;) {
    end = text.slice(0, end).trimEnd().length;
    const start =
      startOfMark(text, end) ??
      startOfPartial(text, end) ??
      startOfFence(text, end);
    if (start === null) return end;
    end = start;
  }
}

function startOfMark(text: string, end: number): number | null {
  const from = Math.max(0, end - WINDOW);
  const window = text.slice(from, end);
  const found = OPENINGS.map((mark) => window.indexOf(mark)).filter(
    (at) => at >= 0,
  );
  return found.length > 0 ? from + Math.min(...found) : null;
}

/** The start of a mark that is incomplete at the very end. */
function startOfPartial(text: string, end: number): number | null {
  if (end < text.length) return null;
  let start: number | null = null;
  for (const mark of OPENINGS) {
    for (let length = mark.length - 1; length > 0; length -= 1) {
      if (!text.endsWith(mark.slice(0, length))) continue;
      start = Math.min(start ?? end, end - length);
      break;
    }
  }
  return start;
}

function startOfFence(text: string, end: number): number | null {
  let word = end;
  while (word > 0 && /\w/.test(text[word - 1])) word -= 1;
  let ticks = word;
  while (ticks > 0 && text[ticks - 1] === '`') ticks -= 1;
  const isFence = word - ticks >= 3;
  const mayBecomeFence = ticks < word && word === text.length;
  return isFence || mayBecomeFence ? ticks : null;
}
