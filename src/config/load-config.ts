import { opendirSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkHostedTools, readAgents } from './files/agents';
import { readApiKeys } from './settings/api-keys';
import {
  AppConfig,
  type BuiltInGuardrail,
  CHAT_ENGINES,
  type GuardrailMode,
  GUARDRAILS,
  type ModelProfileName,
} from './config';
import { Environment } from './environment';
import { readToolLimits } from './settings/tool-limits';
import { checkChatModels } from './settings/model-profiles';
import { readHostedTools } from './files/hosted-tools';
import { isLoopback } from './loopback-address';
import { readHttp } from './settings/http-settings';
import { readMcpServers } from './files/mcp-servers';
import { parseRedisUrl } from './settings/redis-url';
import { readRuns } from './settings/run-settings';
import {
  readBaseUrl,
  readForwardedHeaders,
  readModels,
} from './settings/upstream-settings';
import { readWebhooks } from './settings/webhook-settings';

const DAYS = 24 * 60 * 60;
const AUTO = 'auto';
/** The Agents SDK costs several times the CPU of the own loop, and a chat without agents or hosted tools gains nothing by it. */
const AUTO_ENGINES: AppConfig['upstream']['chatEngines'] = {
  agentic: CHAT_ENGINES,
  bare: ['responses', 'prompt'],
};
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
  const anonymous = env.flag('RELAY_ALLOW_ANONYMOUS', false);
  if (!isLoopback(host) && apiKeys.size === 0 && !anonymous) {
    env.fail(
      'RELAY_HOST',
      `is "${host}", which others can reach, and no API keys are set`,
      'RELAY_API_KEYS=alice:<sha256 of the key>, or RELAY_ALLOW_ANONYMOUS=true',
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
  checkChatModels(env, agents, modelProfiles);
  return deepFreeze<AppConfig>({
    http: readHttp(env, host, apiKeys.size > 0),
    auth: { apiKeys, admin: readAdmin(env) },
    upstream: {
      baseUrl: readBaseUrl(env),
      apiKey: env.optional('LITELLM_API_KEY'),
      ...readModels(env),
      chatModels: env.list('RELAY_CHAT_MODELS', []),
      modelProfiles,
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
    runs: readRuns(env),
    webhooks: readWebhooks(env, apiKeys),
    documents: {
      folder: env.parsed('RELAY_DOCUMENTS_DIR', readableFolder, './documents'),
    },
    mcp: { servers: readMcpServers(env) },
    hosted,
    redis: env.parsed('REDIS_URL', parseRedisUrl, 'redis://127.0.0.1:6379'),
    dataDir: env.text('RELAY_DATA_DIR', './data'),
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

function readChatEngines(
  env: Environment,
): Pick<AppConfig['upstream'], 'chatEngines' | 'promptedModels'> {
  const name = 'RELAY_CHAT_ENGINES';
  const promptedModels = env.list('DISABLE_NATIVE_TOOLS_FOR_MODELS', []);
  const given = env.list(name, [AUTO]);
  if (given.length > 1 && given.includes(AUTO))
    env.fail(name, `names "${AUTO}" beside other engines`, AUTO);
  if (given[0] === AUTO) return { chatEngines: AUTO_ENGINES, promptedModels };
  const listed = env.someOf(name, CHAT_ENGINES);
  if (promptedModels.length > 0 && !listed.includes('prompt'))
    env.fail(
      name,
      'lacks prompt, which DISABLE_NATIVE_TOOLS_FOR_MODELS needs',
      CHAT_ENGINES.join(','),
    );
  return { chatEngines: { agentic: listed, bare: listed }, promptedModels };
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
