import type { Ask } from '../writer/request/ask';
import type { Conversation } from '../writer/request/conversation';
import { textOf } from '../writer/request/conversation';
import type { Adversary } from './adversaries';
import { ADVERSARIES } from './adversaries';
import { DataBlocks, hasBlocks } from './data-blocks';
import { faultOf } from './plain-models';
import type { Role, RoleRequest, RoleValues, Section } from './role.types';
import { ROLES } from './role.types';
import { choice } from './roles/choice';
import { gaps } from './roles/gaps';
import { notes } from './roles/notes';
import { object } from './roles/object';
import { outline } from './roles/outline';
import { plan } from './roles/plan';
import { rewrite } from './roles/rewrite';
import { scope } from './roles/scope';
import { inBlocks, section } from './roles/section';
import { verify } from './roles/verify';

const HONEST: { [R in Role]: (request: RoleRequest) => RoleValues[R] } = {
  scope,
  plan,
  choice,
  notes,
  gaps,
  outline,
  section,
  verify,
  rewrite,
  object,
};
const BY_NAME = new RegExp(`^research_(${ROLES.join('|')})$`);
const IN_PROMPT = new RegExp(
  `^Schema research_(${ROLES.join('|')}):[ \\t]*\\n?([\\s\\S]*)`,
  'm',
);

/** The answer of a role of the research agent; undefined for any other request. */
export function roleAnswer(ask: Ask, talk: Conversation): string | undefined {
  const request = roleRequest(ask, talk);
  if (!request) return undefined;
  const fault = faultOf(ask.model);
  const adversary = fault && ADVERSARIES[fault];
  const filled = fill(request.role, request, adversary);
  const shaped =
    request.role === 'section' ? inBlocks(filled as Section, request) : filled;
  const answer = JSON.stringify(shaped);
  return adversary?.text?.(answer) ?? answer;
}

function fill<R extends Role>(
  role: R,
  request: RoleRequest,
  adversary: Adversary | undefined,
): RoleValues[R] {
  const honest = HONEST[role](request);
  const alter = adversary?.alter?.[role];
  return alter ? alter(honest, request) : honest;
}

/** A role is named by the schema of the answer: in the request, or in the system message. */
function roleRequest(ask: Ask, talk: Conversation): RoleRequest | undefined {
  const prompt = promptIn(ask);
  if (prompt === undefined) return undefined;
  const { format } = ask;
  const [, role, rest = ''] =
    format.type === 'json_schema'
      ? (BY_NAME.exec(format.name) ?? [])
      : (IN_PROMPT.exec(`${ask.instructions}\n${talk.systemText}`) ?? []);
  if (role === undefined) return undefined;
  return {
    role: role as Role,
    schema: format.type === 'json_schema' ? format.schema : schemaIn(rest),
    data: new DataBlocks(prompt),
  };
}

/** The last user message with data blocks: a request for another attempt has none of its own. */
const promptIn = (ask: Ask): string | undefined =>
  ask.items
    .flatMap((item) =>
      'role' in item && 'content' in item && item.role === 'user'
        ? textOf(item.content)
        : [],
    )
    .findLast(hasBlocks);

/** The JSON object that the text begins with, up to a blank line. */
function schemaIn(text: string): unknown {
  try {
    return JSON.parse(text.split(/\n\s*\n/)[0]);
  } catch {
    return undefined;
  }
}
