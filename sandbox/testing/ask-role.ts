import type { Role, RoleValues } from '../plain/role.types';
import { ROLE_SCHEMAS } from './role-schemas';
import type { SandboxUnderTest } from './sandbox-under-test';

export type Blocks = Record<string, unknown>;

/** A block as the agent writes it: text as it is, lists of notes one per line, anything else as JSON. */
const block = (name: string, content: unknown): string => {
  const text =
    typeof content === 'string'
      ? content
      : name === 'notes' || name === 'sections'
        ? (content as unknown[]).map((one) => JSON.stringify(one)).join('\n')
        : JSON.stringify(content);
  return `<data name="${name}">\n${text.replace(/<(?=\/?data)/gi, '<\u200b')}\n</data>`;
};

/** A page as the agent shows it to a reader: a sentence per line, after its number. */
export const numbered = (page: string): string =>
  page
    .split(/(?<=[.!?])\s+|\n+/)
    .map((line, at) => `[${at + 1}] ${line}`)
    .join('\n');

export const promptOf = (blocks: Blocks): string =>
  Object.entries(blocks)
    .map(([name, content]) => block(name, content))
    .join('\n\n');

/** The text that a model answers a role with, over Chat Completions, with the schema in the request. */
export async function answerOf(
  s: SandboxUnderTest,
  model: string,
  role: Role,
  blocks: Blocks,
): Promise<string> {
  const { choices } = await s.client.chat.completions.create({
    model,
    messages: [
      { role: 'system', content: `Role: ${role}.` },
      { role: 'user', content: promptOf(blocks) },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: `research_${role}`,
        schema: ROLE_SCHEMAS[role],
        strict: true,
      },
    },
  });
  return choices[0].message.content ?? '';
}

export const askRole = async <R extends Role>(
  s: SandboxUnderTest,
  model: string,
  role: R,
  blocks: Blocks,
): Promise<RoleValues[R]> =>
  JSON.parse(await answerOf(s, model, role, blocks)) as RoleValues[R];
