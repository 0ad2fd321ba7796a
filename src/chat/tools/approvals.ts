import { AppError } from '../../platform/errors';
import type { FunctionCall } from '../../llm/turns/model.types';
import {
  isObject,
  parseCallArguments,
} from '../../platform/message/call-arguments';
import type { ToolDescription } from '../../platform/message/tool-description';
import type { CallOrigin, Tool } from '../../tools/tool';

/** The user's decision on a call: an approval or a refusal, or the answer to a question. */
export type Decision =
  { approve: boolean; reason?: string | null } | { answer: string };

/** A call that starts only after the user approves it. */
export interface PendingApproval {
  call_id: string;
  tool_name: string;
  /** As chosen by the model. */
  arguments: Record<string, unknown> | null;
}

export interface PendingQuestion {
  call_id: string;
  question: string;
}

/** The decisions that a chat waits for. */
export interface RequiredAction {
  approvals: PendingApproval[];
  questions: PendingQuestion[];
}

/** The function with which a model asks the user a question. */
export const ASK_USER: ToolDescription = {
  name: 'ask_user',
  description:
    'Asks the user one clarifying question. Use it before research whose subject is ambiguous or that lacks what its report ' +
    'depends on; never for what is clear, and never twice.',
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

/** Whether a call needs the approval of the user. */
export function needsApproval(
  tool: Tool | undefined,
  { arguments: json }: Pick<FunctionCall, 'arguments'>,
  origin: CallOrigin,
): boolean {
  if (!tool || tool.trusted) return false;
  const { needsApproval: rule } = tool;
  if (tool.annotations.destructiveHint === true || rule === true) return true;
  return typeof rule === 'function' && rule(parseCallArguments(json), origin);
}

/** Whether a call may destroy something; such calls run one after the other. */
export function mayDestroy({
  annotations,
  needsApproval: rule,
}: Tool): boolean {
  return annotations.destructiveHint === true || rule === true;
}

export function questionOf({ arguments: json }: FunctionCall): string {
  const { question } = parseCallArguments(json) ?? {};
  return typeof question === 'string' && question.trim() !== ''
    ? question
    : 'What exactly do you want to know?';
}

/** The required action as text for the user. */
export function describeAction({
  approvals,
  questions,
}: RequiredAction): string {
  const names = approvals.map(({ tool_name }) => tool_name).join(', ');
  return [
    ...questions.map(({ question }) => question),
    ...(approvals.length > 0 ? [`This needs your approval: ${names}.`] : []),
  ].join('\n\n');
}

/** What the model wrote in a required action, for guardrails. Call ids and tool names are left out, which must not change. */
export function modelTextsOf(action: RequiredAction | null) {
  const { approvals = [], questions = [] } = action ?? {};
  return {
    approvals: approvals.map((call) => ({ arguments: call.arguments })),
    questions: questions.map(({ question }) => ({ question })),
  };
}

/** The action with its texts replaced by those that the guardrails returned. */
export function withModelTexts(
  { approvals, questions }: RequiredAction,
  texts: ReturnType<typeof modelTextsOf>,
): RequiredAction {
  return {
    approvals: approvals.map((call, at) => ({
      ...call,
      ...texts.approvals[at],
    })),
    questions: questions.map((call, at) => ({
      ...call,
      ...texts.questions[at],
    })),
  };
}

/** What the model receives for a call that was not approved; undefined if it was approved. */
export function refusalOf(decision: Decision | undefined): string | undefined {
  const refusal = 'The user did not approve this call.';
  if (!decision || isAnswer(decision)) return refusal;
  const { approve, reason } = decision;
  if (approve) return undefined;
  return reason ? `${refusal} The reason: ${reason}` : refusal;
}

/** The prefix of the fields in which the script of records stores decisions. */
const DECISION = 'decision:';

/** The ids of the calls that wait for a decision. */
export function pendingCallIds({
  approvals,
  questions,
}: RequiredAction): string[] {
  return [...approvals, ...questions].map(({ call_id }) => call_id);
}

/** The decisions in a record, by call id. */
export function readDecisions(
  fields: Readonly<Record<string, string | undefined>>,
): Map<string, Decision> {
  const decisions = Object.entries(fields).flatMap(([field, json]) =>
    field.startsWith(DECISION) && json ? [{ field, json }] : [],
  );
  return new Map(
    decisions.map(({ field, json }) => [
      field.slice(DECISION.length),
      JSON.parse(json) as Decision,
    ]),
  );
}

/**
 * Decisions in their stored form, by call id.
 * @throws AppError `validation_failed` for a decision that the required action does not ask for.
 */
export function writeDecisions(
  { approvals, questions }: RequiredAction,
  decisions: readonly { call_id: string; decision: Decision }[],
  list: string,
): Record<string, string> {
  const errors = decisions.flatMap(({ call_id, decision }, at) => {
    const pending = 'answer' in decision ? questions : approvals;
    const isPending = pending.some((call) => call.call_id === call_id);
    const first = decisions.findIndex((other) => other.call_id === call_id);
    if (isPending && first === at) return [];
    return [
      {
        path: `${list}.${at}.call_id`,
        message:
          first < at
            ? 'appears more than once'
            : 'is not the id of a call that waits for this',
      },
    ];
  });
  if (errors.length > 0)
    throw new AppError('validation_failed', undefined, { errors });
  return Object.fromEntries(
    decisions.map(({ call_id, decision }) => [
      call_id,
      JSON.stringify(decision),
    ]),
  );
}

export function isAnswer(
  decision: Decision | undefined,
): decision is { answer: string } {
  return isObject(decision) && 'answer' in decision;
}
