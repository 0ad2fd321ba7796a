import { z } from 'zod';
import type { Environment } from '../environment';
import { readTextFile } from './text-file';

export type Fail = (fault: string) => never;

/** Common parts of the schemas. */
export const text = z.string('is not a text').min(1, 'is empty');
export const texts = z.array(text, 'is not a list of texts');
export const dictionary = z.record(z.string(), z.string('is not a text'), {
  error: 'is not an object of texts',
});
export const endpointUrl = text.refine(
  isEndpoint,
  'is not an http(s) URL without credentials',
);
const LABEL_FAULT = 'is not a name of 1 to 32 letters, digits, _ or -';
export const label = z
  .string('is not a text')
  .regex(/^[a-zA-Z0-9_-]{1,32}$/, LABEL_FAULT);

/** The content of the file that the variable `name` names; undefined if it is not set. */
export function readJsonFile<T extends z.ZodType>(
  env: Environment,
  name: string,
  form: T,
  fail: Fail,
): z.output<T> | undefined {
  const path = env.optional(name);
  if (path === undefined) return undefined;
  const found = form.safeParse(parse(path, fail));
  return found.success
    ? found.data
    : fail(`names a file in which ${faultOf(found.error)}`);
}

function parse(path: string, fail: Fail): unknown {
  let content: string;
  try {
    content = readTextFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(`names a file that cannot be read (${code})`);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    // The rest of the message quotes the file.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? [];
    return fail(`names a file that is not JSON${place ? ` (${place})` : ''}`);
  }
}

/** `mcpServers.files.command is not a text`. */
function faultOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const at = (path: PropertyKey[]) => path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return `${at([...issue.path, issue.keys[0]])} is not known`;
  }
  if (issue.code === 'invalid_key') {
    return `${at(issue.path)} ${LABEL_FAULT}`;
  }
  return `${at(issue.path) || 'the whole'} ${issue.message}`;
}

/** Replaces every `${NAME}` in the values by the variable of the environment. */
export function expandVariables(
  values: Record<string, string>,
  env: Environment,
  at: string,
  fail: Fail,
): Record<string, string> {
  const fill = (key: string, value: string) =>
    value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      return (
        env.optional(name) ??
        fail(
          `names a file in which ${at}.${key} asks for ${name}, which is not set`,
        )
      );
    });
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, fill(key, value)]),
  );
}

export function checkHeaders(
  headers: Record<string, string>,
  at: string,
  fail: Fail,
): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      fail(`names a file in which ${at}.${name} is not a header`);
    }
  }
}

function isEndpoint(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '';
}
