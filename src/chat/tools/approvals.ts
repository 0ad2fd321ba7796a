import { AppError } from '../../errors';
import type { FunctionCall } from '../../llm/model.types';
import { isObject, parseCallArguments } from '../../message/call.arguments';
import type { ToolDescription } from '../../message/tool-description';
import type { CallOrigin, Tool } from '../../tools/tool';

/** What a human said of a call that waited for one. */
export type Decision =
  { approve: boolean; reason?: string | null } | { answer: string };

/** A call that is made only if a human says so. */
export interface AwaitedApproval {
  call_id: string;
  tool_name: string;
  /** As the model chose them. */
  arguments: Record<string, unknown> | null;
}

export interface AwaitedAnswer {
  call_id: string;
  question: string;
}

/** What a chat waits for. */
export interface RequiredAction {
  approvals: AwaitedApproval[];
  questions: AwaitedAnswer[];
}

/** How a model asks the user, where it may. */
export const ASK_USER: ToolDescription = {
  name: 'ask_user',
  description:
    'Asks the user one clarifying question. Use it before a research that could be about different things, or that lacks ' +
    'what its report would depend on; never for what is clear, and never twice.',
  parameters: {
    type: 'object',
    properties: {
      question: {
        type: 'string',
        description: 'One short question, in the language of the user.',
      },
    },
    required: ['question'],
    additionalProperties: false,
  },
};

/** Whether a human has to approve a call. */
export function needsApproval(
  tool: Tool | undefined,
  { arguments: written }: Pick<FunctionCall, 'arguments'>,
  origin: CallOrigin,
): boolean {
  if (!tool || tool.trusted) return false;
  const { needsApproval: rule } = tool;
  if (tool.annotations.destructiveHint === true || rule === true) return true;
  return (
    typeof rule === 'function' && rule(parseCallArguments(written), origin)
  );
}

/** Whether a call may destroy something, so that it is not made beside another one that may. */
export function mayDestroy({
  annotations,
  needsApproval: rule,
}: Tool): boolean {
  return annotations.destructiveHint === true || rule === true;
}

export function questionOf({ arguments: written }: FunctionCall): string {
  const { question } = parseCallArguments(written) ?? {};
  return typeof question === 'string' && question.trim() !== ''
    ? question
    : 'What exactly do you want to know?';
}

/** What the user is told of what is awaited. */
export function inWords({ approvals, questions }: RequiredAction): string {
  const names = approvals.map(({ tool_name }) => tool_name).join(', ');
  return [
    ...questions.map(({ question }) => question),
    ...(approvals.length > 0 ? [`This needs your approval: ${names}.`] : []),
  ].join('\n\n');
}

/** What a model said of what is awaited, call by call: the rest is names, by which decisions come back. */
export function saidIn(awaited: RequiredAction | null) {
  const { approvals = [], questions = [] } = awaited ?? {};
  return {
    approvals: approvals.map((call) => ({ arguments: call.arguments })),
    questions: questions.map(({ question }) => ({ question })),
  };
}

/** The same with other words. */
export function withSaid(
  { approvals, questions }: RequiredAction,
  said: ReturnType<typeof saidIn>,
): RequiredAction {
  return {
    approvals: approvals.map((one, at) => ({ ...one, ...said.approvals[at] })),
    questions: questions.map((one, at) => ({ ...one, ...said.questions[at] })),
  };
}

/** What the model is told of a call that was not approved; undefined if it was. */
export function refusalOf(decision: Decision | undefined): string | undefined {
  const refused = 'The user did not approve this call.';
  if (!decision || isAnswer(decision)) return refused;
  const { approve, reason } = decision;
  if (approve) return undefined;
  return reason ? `${refused} The reason: ${reason}` : refused;
}

/** As the script of records has it. */
const DECISION = 'decision:';

/** The calls that wait, by which decisions are kept. */
export function awaitedCalls(awaited: RequiredAction): string[] {
  const calls = [...awaited.approvals, ...awaited.questions];
  return calls.map(({ call_id }) => call_id);
}

/** The decisions on a record, by call. */
export function readDecisions(
  fields: Readonly<Record<string, string>>,
): Map<string, Decision> {
  const decisions = Object.entries(fields).filter(([field]) =>
    field.startsWith(DECISION),
  );
  return new Map(
    decisions.map(([field, json]) => [
      field.slice(DECISION.length),
      JSON.parse(json) as Decision,
    ]),
  );
}

/**
 * Decisions as a record keeps them.
 * @throws AppError `validation_failed` for one that does not fit what is awaited.
 */
export function writeDecisions(
  { approvals, questions }: RequiredAction,
  given: readonly { call_id: string; decision: Decision }[],
  list: string,
): Record<string, string> {
  const errors = given.flatMap(({ call_id, decision }, at) => {
    const awaited = 'answer' in decision ? questions : approvals;
    const isAwaited = awaited.some((one) => one.call_id === call_id);
    const isSecond = given.findIndex((one) => one.call_id === call_id) < at;
    if (isAwaited && !isSecond) return [];
    return [
      {
        path: `${list}.${at}.call_id`,
        message: isSecond
          ? 'is there twice'
          : 'is not the id of a call that waits for this',
      },
    ];
  });
  if (errors.length > 0)
    throw new AppError('validation_failed', undefined, { errors });
  return Object.fromEntries(
    given.map(({ call_id, decision }) => [call_id, JSON.stringify(decision)]),
  );
}

export function isAnswer(
  decision: Decision | undefined,
): decision is { answer: string } {
  return isObject(decision) && 'answer' in decision;
}
