import { opendirSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkHostedTools, readAgents } from './files/agents';
import { readApiKeys } from './settings/api-keys';
import {
  AppConfig,
  type BuiltInGuardrail,
  type GuardrailMode,
  GUARDRAILS,
  type ModelProfileName,
  type ModelProtocol,
} from './config';
import { Environment } from './environment';
import { readAgentModels } from './settings/models/role-models';
import { readToolLimits } from './settings/tool-limits';
import { checkChatModels } from './settings/models/model-profiles';
import { readHostedTools } from './files/hosted-tools';
import {
  readContextTokens,
  readOutputTokens,
} from './settings/models/context-tokens';
import { isLoopback } from './addresses/loopback-address';
import { readKeyLimits } from './settings/key-limits';
import { readHttp } from './settings/http-settings';
import { readMcpServers } from './files/mcp-file';
import { readMetrics } from './settings/metrics-settings';
import { readPages } from './settings/page-settings';
import { readProxies } from './settings/proxy-settings';
import { readPrices } from './files/prices';
import { parseRedisUrl } from './addresses/redis-url';
import { readRuns } from './settings/run-settings';
import { readSearch } from './settings/search-settings';
import {
  readBaseUrl,
  readEndpointKey,
  readChatEngines,
  readForwardedHeaders,
  readModels,
} from './settings/upstream-settings';
import { readTracing } from './settings/tracing-settings';
import { readWebhooks } from './settings/webhook-settings';

const DAYS = 24 * 60 * 60;
const BASE64 =
  /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads the environment into one frozen object.
 * @throws ConfigError with one line that names the variable, the error and an example.
 */
export function loadConfig(source: NodeJS.ProcessEnv = process.env): AppConfig {
  const env = new Environment(source);
  const host = env.text('RELAY_HOST', '127.0.0.1');
  const apiKeys = readApiKeys(env);
  const hasStoredKeys = env.flag('RELAY_REQUIRE_KEYS', false);
  const required = hasStoredKeys || apiKeys.size > 0;
  const anonymous = env.flag('RELAY_ALLOW_ANONYMOUS', false);
  if (!isLoopback(host) && !required && !anonymous) {
    env.fail(
      'RELAY_HOST',
      `is "${host}", which others can reach, and no API keys are set`,
      'RELAY_API_KEYS=alice:<sha256 of the key>, RELAY_REQUIRE_KEYS=true, or RELAY_ALLOW_ANONYMOUS=true',
    );
  }
  const agents = readAgents(env);
  const hosted = readHostedTools(env);
  checkHostedTools(agents, hosted, env);
  const modelProfiles = env.pairs(
    'RELAY_MODEL_PROFILES',
    /^(research|reasoning|plain|completions)$/,
    'research|reasoning|plain|completions',
    'my-o3:research,my-llama:plain',
  ) as Map<string, ModelProfileName>;
  const modelProtocols = env.pairs(
    'RELAY_MODEL_PROTOCOLS',
    /^(responses|completions)$/,
    'responses|completions',
    'my-llama*:completions,my-gpt:responses',
  ) as Map<string, ModelProtocol>;
  checkChatModels(env, agents, modelProfiles);
  const proxies = readProxies(env);
  const mcpServers = readMcpServers(env, proxies);
  const folder = env.parsed(
    'RELAY_DOCUMENTS_DIR',
    readableFolder,
    './documents',
  );
  const runs = readRuns(env);
  return deepFreeze<AppConfig>({
    http: readHttp(env, host, required),
    auth: { apiKeys, required, admin: readAdmin(env) },
    keyLimits: readKeyLimits(env, runs.maxUnfinished),
    upstream: {
      baseUrl: readBaseUrl(env),
      apiKey: readEndpointKey(env),
      ...readModels(env),
      chatModels: env.list('RELAY_CHAT_MODELS', []),
      embeddingModels: env.list('RELAY_EMBEDDING_MODELS', []),
      modelProfiles,
      modelProtocols,
      forwardedHeaders: readForwardedHeaders(env),
      ...readChatEngines(env),
      maxTurns: env.integer('RELAY_MAX_TURNS', 10, 1, 100),
      webhookSecrets: readWebhookSecrets(env),
      turnTimeoutMs: env.seconds('RELAY_TIMEOUT_SECONDS', 30, 0.1, 3600),
    },
    research: {
      timeoutMs: env.seconds('RELAY_RESEARCH_TIMEOUT_SECONDS', 3600, 1, DAYS),
      concurrency: env.integer('RESEARCH_CONCURRENCY', 10_000, 1, 100_000),
      modelLimits: env.pairs(
        'RESEARCH_MODEL_LIMITS',
        /^[1-9]\d{0,5}$/,
        'number of runs',
        'o3-deep-research:20,*:100',
      ),
      ambiguousSubmit: env.oneOf(
        'RELAY_AMBIGUOUS_SUBMIT',
        ['fail', 'resubmit'],
        'fail',
      ),
      engine: env.oneOf(
        'RELAY_RESEARCH_ENGINE',
        ['auto', 'hosted', 'agent', 'plain'],
        'auto',
      ),
      agentConcurrency: env.integer(
        'RESEARCH_AGENT_CONCURRENCY',
        200,
        1,
        10_000,
      ),
      agentModels: readAgentModels(env),
    },
    tools: {
      off: env.list('RELAY_TOOLS_OFF', []),
      ...readToolLimits(env),
      folder: env.parsed('RELAY_TOOLS_DIR', readableFolder, './my-tools'),
    },
    agents,
    chat: {
      concurrency: env.integer('RELAY_CHAT_CONCURRENCY', 1_000, 1, 100_000),
    },
    guardrails: readGuardrails(env),
    runs,
    models: {
      prices: readPrices(env),
      contextTokens: readContextTokens(env),
      outputTokens: readOutputTokens(env),
    },
    webhooks: readWebhooks(env, {
      names: apiKeys,
      areAll: !hasStoredKeys,
    }),
    documents: { folder },
    search: {
      providers: readSearch(
        env,
        mcpServers.map(({ name }) => name),
        folder !== undefined,
      ),
    },
    proxies,
    pages: readPages(env),
    mcp: { servers: mcpServers },
    hosted,
    redis: env.parsed('REDIS_URL', parseRedisUrl, 'redis://127.0.0.1:6379'),
    dataDir: env.text('RELAY_DATA_DIR', './data'),
    metrics: readMetrics(env),
    tracing: readTracing(env),
    heartbeatFile: env.optional('RELAY_HEARTBEAT_FILE'),
    logLevel: env.oneOf(
      'RELAY_LOG_LEVEL',
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
    ),
  });
}

function readAdmin(env: Environment): AppConfig['auth']['admin'] {
  const user = env.optional('RELAY_ADMIN_USER');
  const password = env.optional('RELAY_ADMIN_PASSWORD');
  if (user === undefined && password === undefined) return undefined;
  if (user === undefined)
    return env.fail(
      'RELAY_ADMIN_USER',
      'is not set, but RELAY_ADMIN_PASSWORD is',
      'admin',
    );
  if (password === undefined)
    return env.fail(
      'RELAY_ADMIN_PASSWORD',
      'is not set, but RELAY_ADMIN_USER is',
      'a long random text',
    );
  return { user, password };
}

function readGuardrails(env: Environment): AppConfig['guardrails'] {
  const name = 'RELAY_GUARDRAILS';
  const example = 'pii:redact,citations:refuse';
  const form = /^(redact|refuse)$/;
  const modes = env.pairs(name, form, 'redact|refuse', example);
  for (const given of modes.keys()) {
    if (!GUARDRAILS.some((known) => known === given))
      env.fail(
        name,
        `names "${given}", not one of ${GUARDRAILS.join(', ')}`,
        example,
      );
  }
  return modes as Map<BuiltInGuardrail, GuardrailMode>;
}

function readWebhookSecrets(env: Environment): string[] {
  const name = 'OPENAI_WEBHOOK_SECRET';
  const secrets = env.list(name, []);
  for (const secret of secrets) {
    if (secret.startsWith('whsec_') && !BASE64.test(secret.slice(6)))
      env.fail(
        name,
        'has an entry with something else than base64 after whsec_',
        'whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29rIQ==',
      );
  }
  return secrets;
}

function readableFolder(path: string): string {
  try {
    opendirSync(path).closeSync();
    return resolve(path);
  } catch {
    throw new Error('is not a folder that can be read');
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof Map)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
