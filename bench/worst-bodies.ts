/** A body that costs as much as a route allows. */
export interface WorstBody {
  what: string;
  path: string;
  text: Buffer;
  withKey?: boolean;
}

const MAX_BYTES = 4 * 1024 * 1024 - 1024;
/** Just under the limit of values in one body. */
const VALUES = 24_000;

const CHAT = '/api/v1/chat';
const INVOCATIONS = '/api/v1/tool-invocations';
const CANCEL = `${INVOCATIONS}/:id/cancel`;

/** `head`, as many of `item` as fit, and `tail`. */
function filled(head: string, item: string, tail: string): Buffer {
  const room = MAX_BYTES - Buffer.byteLength(head + tail);
  const count = Math.floor(room / Buffer.byteLength(`${item},`));
  return Buffer.from(head + `${item},`.repeat(count) + item + tail);
}

/** As many of `item` as the limit of values allows. */
function counted(head: string, item: string, tail: string): Buffer {
  const each = item.match(/[[{:,]/g)!.length + 1;
  const count = Math.floor(VALUES / each);
  return Buffer.from(head + Array(count).fill(item).join(',') + tail);
}

/** One string of up to `max` characters that makes the body as large as allowed. */
function worded(
  head: string,
  letter: string,
  max: number,
  tail: string,
): Buffer {
  const room = MAX_BYTES - Buffer.byteLength(head + tail);
  const fitting = Math.floor(room / Buffer.byteLength(letter));
  return Buffer.from(head + letter.repeat(Math.min(fitting, max)) + tail);
}

const part = '{"type":"value","value":1}';
const message = `{"role":"user","contents":[${Array(20).fill(part).join(',')}]}`;
const research =
  '{"tool_name":"deep_research","arguments":{"background":true,"research_question":"?",';
const text = '{"type":"text","text":"a"}';
const turn = `{"role":"user","contents":[${Array(10).fill(text).join(',')}]}`;

export const WORST_BODIES: readonly WorstBody[] = [
  {
    what: '4 MB of {} without a key',
    path: CHAT,
    text: filled('{"messages":[', '{}', ']}'),
    withKey: false,
  },
  {
    what: '4 MB of {} without a token',
    path: CANCEL,
    text: filled('{"approvals":[', '{}', ']}'),
    withKey: false,
  },
  {
    what: '4 MB of {}',
    path: CHAT,
    text: filled('{"messages":[', '{}', ']}'),
  },
  {
    what: '4 MB of {}',
    path: CANCEL,
    text: filled('{"approvals":[', '{}', ']}'),
  },
  {
    what: 'as many parts as a body may hold',
    path: CHAT,
    text: counted('{"message":"?","messages":[', message, ']}'),
  },
  {
    what: 'as many turns as a body may hold',
    path: CHAT,
    text: counted('{"message":"?","messages":[', turn, ']}'),
  },
  {
    what: 'a document of a million emoji',
    path: CHAT,
    text: worded(
      '{"message":"?","documents":[{"title":"a","text":"',
      '🚀',
      1_000_000,
      '"}]}',
    ),
  },
  {
    what: '4 MB of escapes in four documents',
    path: CHAT,
    text: Buffer.from(
      `{"message":"?","documents":[${Array(4)
        .fill(`{"title":"a","text":"${'\\n'.repeat(510_000)}"}`)
        .join(',')}]}`,
    ),
  },
  {
    what: 'four documents of a megabyte',
    path: INVOCATIONS,
    text: Buffer.from(
      `${research}"documents":[${Array(4)
        .fill(`{"title":"a","text":"${'word '.repeat(200_000)}"}`)
        .join(',')}]}}`,
    ),
  },
  {
    what: 'as many values as a body may hold',
    path: INVOCATIONS,
    text: Buffer.from(
      `${research}${Array.from({ length: 12_000 }, (_, i) => `"k${i}":1`).join(',')}}}`,
    ),
  },
];
