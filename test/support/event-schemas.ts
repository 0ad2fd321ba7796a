import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';

const CONTRACT = join(__dirname, '../../openapi.json');

interface Frame {
  id?: string;
  event: string;
  data: unknown;
}

const checks = new Map<string, ValidateFunction>();
let ajv: Ajv | undefined;

/** The frames of an invocation are as `openapi.json` describes them. */
export function expectInvocationEvents(frames: readonly Frame[]): void {
  for (const { event, data } of frames) {
    expectSchema(event === 'gap' ? 'Gap' : 'InvocationEvent', data);
    if (event !== 'gap') expect(data).toMatchObject({ type: event });
  }
}

/** The frames of a chat are as `openapi.json` describes them. */
export function expectChatEvents(frames: readonly Frame[]): void {
  for (const { id, event, data } of frames)
    expectSchema('ChatEvent', { ...(id !== undefined && { id }), event, data });
}

function expectSchema(name: string, value: unknown): void {
  ajv ??= new Ajv({ strict: false, validateFormats: false }).addSchema(
    closed(JSON.parse(readFileSync(CONTRACT, 'utf8'))),
    'sonde',
  );
  const check =
    checks.get(name) ??
    ajv.compile({ $ref: `sonde#/components/schemas/${name}` });
  checks.set(name, check);
  if (!check(value))
    throw new Error(
      `no ${name}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(value)}`,
    );
}

/** Without fields that the contract does not name. A later version may have more, but then its contract has them too. */
function closed(node: unknown): object {
  if (Array.isArray(node)) return node.map(closeIfObject);
  const entries = Object.entries(node as object);
  const copy: Record<string, unknown> = Object.fromEntries(
    entries.map(([key, value]) => [key, closeIfObject(value)]),
  );
  const isOpen = copy.type !== 'object' || typeof copy.properties !== 'object';
  return isOpen ? copy : { additionalProperties: false, ...copy };
}

function closeIfObject(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? closed(value) : value;
}
