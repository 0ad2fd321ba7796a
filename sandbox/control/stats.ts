export interface RequestLine {
  at: string;
  method: string;
  path: string;
  /** 0 until a response was sent, also if the socket closed before. */
  status: number;
  /** What was searched for. */
  query?: string;
}

export interface RequestRecord {
  at: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Tokens of one invocation. */
export interface Bill {
  input_tokens: number;
  output_tokens: number;
}

const LINES_KEPT = 1000;
const BODIES_KEPT = 5000;
const HEADERS_OF_INTEREST =
  /^(x-|openai-|user-agent$|traceparent$|tracestate$|idempotency-key$)/;

/** Counts since the start or the last reset. */
export class Stats {
  /** Accepted research runs, which cost dollars at a real upstream. */
  creates = 0;
  readonly createsByInvocation: Record<string, number> = {};
  /** What ended research runs have used. */
  readonly billedByInvocation: Record<string, Bill> = {};
  /** Every other accepted POST /v1/responses. */
  turns = 0;
  chatCompletions = 0;
  retrieves = 0;
  resumes = 0;
  cancels = 0;
  deletes = 0;
  readonly lines: RequestLine[] = [];
  readonly bodies: RequestRecord[] = [];

  begin(method: string, path: string, query?: string): RequestLine {
    const line: RequestLine = {
      at: new Date().toISOString(),
      method,
      path,
      status: 0,
      ...(query !== undefined && { query }),
    };
    this.lines.push(line);
    if (this.lines.length > LINES_KEPT) this.lines.shift();
    return line;
  }

  keepBody(
    path: string,
    headers: Record<string, string | string[] | undefined>,
    body: unknown,
  ): void {
    const selected: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers))
      if (HEADERS_OF_INTEREST.test(name)) selected[name] = String(value);
    this.bodies.push({
      at: new Date().toISOString(),
      path,
      headers: selected,
      body,
    });
    if (this.bodies.length > BODIES_KEPT) this.bodies.shift();
  }

  countCreate(invocationId: string | undefined): void {
    this.creates++;
    if (invocationId !== undefined)
      this.createsByInvocation[invocationId] =
        (this.createsByInvocation[invocationId] ?? 0) + 1;
  }

  bill(invocationId: string | undefined, used: Bill | null): void {
    if (invocationId === undefined || !used) return;
    const bill = (this.billedByInvocation[invocationId] ??= {
      input_tokens: 0,
      output_tokens: 0,
    });
    bill.input_tokens += used.input_tokens;
    bill.output_tokens += used.output_tokens;
  }
}
