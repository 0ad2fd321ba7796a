/** A span as a receiver sees it, with the resource of its process. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  failed: boolean;
  attributes: Record<string, string | number>;
  resource: Record<string, string | number>;
}

type Value = bigint | Buffer;
type Fields = Map<number, Value[]>;

/** Reads an `ExportTraceServiceRequest`, as far as tests need it. */
export function readSpans(body: Buffer): ReceivedSpan[] {
  return all(fieldsOf(body), 1).flatMap((ofProcess) => {
    const [about] = all(ofProcess, 1);
    const resource = attributesIn(about, 1);
    return all(ofProcess, 2)
      .flatMap((ofScope) => all(ofScope, 2))
      .map((span) => ({ ...spanOf(span), resource }));
  });
}

function spanOf(span: Fields): Omit<ReceivedSpan, 'resource'> {
  const hex = (field: number) => bytes(span, field).toString('hex');
  const ms = (field: number) => Number(number(span, field) / 1_000_000n);
  const [status] = all(span, 15);
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: bytes(span, 5).toString(),
    kind: Number(number(span, 6)),
    startMs: ms(7),
    endMs: ms(8),
    failed: status !== undefined && number(status, 3) === 2n,
    attributes: attributesIn(span, 9),
  };
}

function attributesIn(
  message: Fields,
  field: number,
): Record<string, string | number> {
  return Object.fromEntries(
    all(message, field).map((pair) => {
      const [value] = all(pair, 2);
      const text = value.get(1)?.[0];
      const double = value.get(4)?.[0];
      const read = double
        ? Buffer.from(double as Buffer).readDoubleLE()
        : Number(number(value, 3));
      return [bytes(pair, 1).toString(), text ? String(text) : read];
    }),
  );
}

function all(message: Fields, field: number): Fields[] {
  return (message.get(field) ?? []).map((value) => fieldsOf(value as Buffer));
}

function bytes(message: Fields, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

/** Of a varint, or of 64 fixed bits. */
function number(message: Fields, field: number): bigint {
  const value = message.get(field)?.[0] ?? 0n;
  return typeof value === 'bigint' ? value : value.readBigUInt64LE();
}

/** The wire format of protocol buffers. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const value = ((): Value => {
      switch (tag & 7) {
        case 0:
          return varint();
        case 1:
          return take(8);
        case 2:
          return take(Number(varint()));
        case 5:
          return take(4);
        default:
          throw new Error(`wire type ${tag & 7}`);
      }
    })();
    const known = fields.get(tag >> 3);
    if (known) known.push(value);
    else fields.set(tag >> 3, [value]);
  }
  return fields;
}
