import { AppError } from '../errors';

/** `deep_research` needs the scope `research`; every other tool needs `tools:<its name>` or `tools:*`. */
const RESEARCH_TOOL = 'deep_research';
export const SCOPE =
  /^(chat|research|read|admin|tools:(\*|[a-zA-Z0-9_-]{1,64}))$/;

/** What a route needs. `tools`: any scope that allows a tool, research included; the tool itself is checked
 * later. `any`: every key suffices. */
export type RouteScope =
  'chat' | 'research' | 'read' | 'tools' | 'admin' | 'any';

/** The scopes of a route as the API describes them: any of them suffices. */
export const SCOPES_OF_ROUTE: Record<RouteScope, readonly string[]> = {
  chat: ['chat'],
  research: ['research'],
  read: ['read'],
  tools: ['research', 'tools:<name>'],
  admin: ['admin'],
  any: [],
};

/** Undefined: a caller without scopes of its own, who may do everything but administrate. */
export type Scopes = readonly string[] | undefined;

export function allowsRoute(scopes: Scopes, needed: RouteScope): boolean {
  if (needed === 'any') return true;
  if (scopes === undefined) return needed !== 'admin';
  if (needed !== 'tools') return scopes.includes(needed);
  return scopes.some(
    (scope) => scope === 'research' || scope.startsWith('tools:'),
  );
}

export function isResearch(tool: string): boolean {
  return tool === RESEARCH_TOOL;
}

export function allowsTool(scopes: Scopes, tool: string): boolean {
  if (scopes === undefined) return true;
  if (tool === RESEARCH_TOOL) return scopes.includes('research');
  return scopes.includes('tools:*') || scopes.includes(`tools:${tool}`);
}

/** @throws AppError `insufficient_scope` that names the scope. */
export function checkRoute(scopes: Scopes, needed: RouteScope): void {
  if (allowsRoute(scopes, needed)) return;
  throw insufficient(SCOPES_OF_ROUTE[needed].join(' or '));
}

/** @throws AppError `insufficient_scope` that names the scope. */
export function checkTool(scopes: Scopes, tool: string): void {
  if (allowsTool(scopes, tool)) return;
  throw insufficient(tool === RESEARCH_TOOL ? 'research' : `tools:${tool}`);
}

function insufficient(scope: string): AppError {
  return new AppError(
    'insufficient_scope',
    `This needs an API key with the scope ${scope}.`,
  );
}
