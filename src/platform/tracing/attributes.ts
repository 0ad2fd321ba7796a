/**
 * What a span may say. Names, codes, ids and numbers only: no question, text, argument, result, key, address or URL has a
 * place here.
 */
export interface Attributes {
  /** What a model or a tool is used for. */
  operation?:
    'chat' | 'embeddings' | 'execute_tool' | 'invoke_agent' | 'retrieval';
  provider?: string;
  model?: string;
  /** As the endpoint names it in its reply. */
  answeredBy?: string;
  inputTokens?: number;
  outputTokens?: number;
  agent?: string;
  tool?: string;
  source?: string;
  run?: string;
  kind?: string;
  engine?: string;
  status?: string;
  /** Workers that disappeared while they held the run. */
  crashes?: number;
  scope?: string;
  hits?: number;
  method?: string;
  route?: string;
  statusCode?: number;
  /** The code of an error; its presence makes the span a failed one. */
  error?: string;
}

/** Attribute -> its name in a trace. Those of the GenAI conventions still change, so they are sent on request only. */
const NAMES: Readonly<Record<keyof Attributes, string>> = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  answeredBy: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  source: 'gen_ai.data_source.id',
  run: 'sonde.run.id',
  kind: 'sonde.run.kind',
  engine: 'sonde.run.engine',
  status: 'sonde.run.status',
  crashes: 'sonde.run.crashes',
  scope: 'sonde.search.scope',
  hits: 'sonde.search.hits',
  method: 'http.request.method',
  route: 'http.route',
  statusCode: 'http.response.status_code',
  error: 'error.type',
};
const EXPERIMENTAL = /^gen_ai\./;
/** A model is named by its endpoint. */
const MAX_LENGTH = 200;

/** The attributes as they are sent. @param genAi whether those of the GenAI conventions are. */
export function named(
  attributes: Attributes,
  genAi: boolean,
): Record<string, string | number> {
  const sent: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const name = NAMES[key as keyof Attributes];
    if (value === undefined || value === '') continue;
    if (EXPERIMENTAL.test(name) && !genAi) continue;
    sent[name] =
      typeof value === 'string' ? value.slice(0, MAX_LENGTH) : Number(value);
  }
  return sent;
}

const CODE = /^[A-Za-z][\w.-]{0,60}$/;

/** The code of what was thrown, or the name of its type; never its message. */
export function errorType(thrown: unknown): string {
  if (typeof thrown === 'string') return CODE.test(thrown) ? thrown : '_OTHER';
  const { code, fault, name } = Object(thrown) as Record<string, unknown>;
  const found = [code, fault, name].find(
    (one) => typeof one === 'string' && CODE.test(one),
  );
  return (found as string | undefined) ?? '_OTHER';
}
