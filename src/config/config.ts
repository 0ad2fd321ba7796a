import type { AgentsConfig } from './files/agents';
import type { HostedTools } from './files/hosted-tools';
import type { McpServerConfig } from './files/mcp-file';
import type { Price } from './files/prices';
import type { ProxySettings } from './settings/proxy-settings';
import type { LimitName } from './settings/key-limits';
import type { ModelRole } from './settings/models/role-models';
import type { RedisTarget } from './addresses/redis-url';
import type { SearchProviderConfig } from './files/search-provider';

/** Responses, or Chat Completions. */
export type ModelProtocol = 'responses' | 'completions';

export type ModelProfileName =
  'research' | 'reasoning' | 'plain' | 'completions';

/** In their default order. */
export const CHAT_ENGINES = ['agents', 'responses', 'prompt'] as const;
export type ChatEngine = (typeof CHAT_ENGINES)[number];
/** `agentic`: a chat of configured agents, or one that is offered hosted tools. `bare`: any other. */
export type ChatKind = 'agentic' | 'bare';

export const GUARDRAILS = ['pii', 'citations'] as const;
export type BuiltInGuardrail = (typeof GUARDRAILS)[number];
/** Whether findings of a guardrail are redacted, or end the request. */
export type GuardrailMode = 'redact' | 'refuse';

/** Everything that can be configured, read once at the start. Also the injection token. */
export class AppConfig {
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly loopback: boolean;
    /** Host names that are served besides those of the loopback; `*` is any. */
    readonly allowedHosts: readonly string[];
    /** Where callers reach the service, without a slash at its end. Undefined: at the root of wherever it is reached. */
    readonly publicUrl?: string;
    /** Pages of these origins may read replies in a browser. */
    readonly corsOrigins: readonly string[];
    /** Bytes of all request bodies in progress. */
    readonly bodyMemoryBytes: number;
    /** Time limit of one request body. */
    readonly bodyTimeoutMs: number;
    /** Who may read `/docs` and `/openapi.json`. */
    readonly docs: 'public' | 'key' | 'off';
  };
  readonly auth: {
    /** Caller name -> SHA-256 of its keys, hex: several while one replaces another. */
    readonly apiKeys: ReadonlyMap<string, readonly string[]>;
    /** Whether callers need a key, of those or of the ones that are stored. False: every caller is anonymous. */
    readonly required: boolean;
    readonly admin?: { readonly user: string; readonly password: string };
  };
  /** Of every API key that has no others. */
  readonly keyLimits: Readonly<Record<LimitName, number>>;
  readonly upstream: {
    /** Undefined: the built-in sandbox. Always ends in `/v1`, or in the given version. */
    readonly baseUrl?: string;
    /** The topics of the built-in sandbox; undefined with another upstream. */
    readonly sandboxTopics?: readonly string[];
    readonly apiKey?: string;
    readonly chatModel: string;
    /** Models that a request may choose besides the chat model. */
    readonly chatModels: readonly string[];
    /** Models that `POST /v1/embeddings` passes requests on to; empty: none is offered. */
    readonly embeddingModels: readonly string[];
    /** Names of request headers that are passed on, in lower case. */
    readonly forwardedHeaders: readonly string[];
    /** Tried in order; the first available model is used. */
    readonly researchModels: readonly string[];
    /** Whether the operator named them. Otherwise they are chosen by what the endpoint lists, see `ModelChoice`. */
    readonly namedModels: {
      readonly research: boolean;
      readonly chat: boolean;
    };
    readonly modelProfiles: ReadonlyMap<string, ModelProfileName>;
    /** Model, or pattern of models -> how its chats and single calls are made; absent: as the endpoint takes them. */
    readonly modelProtocols: ReadonlyMap<string, ModelProtocol>;
    /** Models whose tools are described in the prompt; `gpt-oss*` matches all that begin so. */
    readonly promptedModels: readonly string[];
    /** Tried in order, see `ModelClient`. A list that is configured holds for both kinds. */
    readonly chatEngines: Readonly<Record<ChatKind, readonly ChatEngine[]>>;
    /** Maximum turns of a model in one chat. The last one is without tools. */
    readonly maxTurns: number;
    readonly turnTimeoutMs: number;
    /**
     * Secrets of the webhooks that the endpoint sends, `whsec_<base64>` or plain; any of them may sign. Empty: it sends
     * none.
     */
    readonly webhookSecrets: readonly string[];
  };
  readonly research: {
    readonly timeoutMs: number;
    /** Concurrent runs of one worker process. */
    readonly concurrency: number;
    /** Model (`*`: any other) -> its maximum of concurrent runs, over all workers. */
    readonly modelLimits: ReadonlyMap<string, string>;
    readonly ambiguousSubmit: 'fail' | 'resubmit';
    /** What carries a run whose request names no engine. */
    readonly engine: 'auto' | 'hosted' | 'agent' | 'plain';
    /** Concurrent runs of the agent in one worker process. */
    readonly agentConcurrency: number;
    /** The models of the agent by their role; absent: the writer's, else the research model. */
    readonly agentModels: Readonly<Partial<Record<ModelRole, string>>>;
  };
  readonly tools: {
    /** Names of disabled tools; `files__*` matches all that begin so. */
    readonly off: readonly string[];
    /** For tools without a time limit of their own; research has its own. */
    readonly timeoutMs: number;
    /** Concurrent tool runs of one worker process, without research. */
    readonly concurrency: number;
    /** Maximum calls of one tool, and of all tools, in one chat request. */
    readonly maxCallsPerTool: number;
    readonly maxCalls: number;
    /** Maximum research runs in one chat request. */
    readonly maxResearch: number;
    /** The `*.tool.js` files in it are loaded in addition to the built-in tools. */
    readonly folder?: string;
  };
  readonly chat: {
    /** Concurrent background chats of one worker process. */
    readonly concurrency: number;
  };
  /** The agents of chats. Undefined: the chat model, with all tools and no instructions. */
  readonly agents?: AgentsConfig;
  /** The enabled built-in guardrails, in their configured order. */
  readonly guardrails: ReadonlyMap<BuiltInGuardrail, GuardrailMode>;
  /** For every run, whatever its kind. */
  readonly runs: {
    /** How long a request waits for its run at most; the run itself may take longer. */
    readonly maxWaitMs: number;
    /** Unfinished runs of all callers; more are refused with 503. */
    readonly maxUnfinished: number;
    readonly maxOutputBytes: number;
    /** How long a record is kept after its run has ended. */
    readonly retentionMs: number;
    /** How long the runs of an unresponsive worker stay its own before another worker takes them over. */
    readonly leaseMs: number;
    /** A worker above this size suspends runs without a subscriber between their polls. */
    readonly memoryBytes: number;
    /** Redis' append-only file is rewritten after deletions, so that it no longer holds what was deleted. */
    readonly rewriteAfterDelete: boolean;
    /** Bytes of memory of Redis above which nothing is accepted. Undefined: a share of its maxmemory, if it has one. */
    readonly redisMaxBytes?: number;
  };
  readonly models: {
    /** Model, or `gpt-*` for all that begin so -> its price. Empty: none is known. */
    readonly prices: ReadonlyMap<string, Price>;
    /** Model, or `llama*`, or `*` -> how many tokens a request of the research agent and its answer may have. */
    readonly contextTokens: ReadonlyMap<string, number>;
    /** In the same form -> how many tokens the model may write in one turn, unless its caller sets another limit. */
    readonly outputTokens: ReadonlyMap<string, number>;
  };
  readonly webhooks: {
    /** API key name, or `*` for all others -> `whsec_…`; all of them sign. Empty: no webhooks. */
    readonly secrets: ReadonlyMap<string, readonly string[]>;
    /** API key name -> the URL that its webhooks are sent to, unless a request names another. */
    readonly urls: ReadonlyMap<string, string>;
    /** Allows webhooks over http and to addresses that are not public. */
    readonly allowPrivate: boolean;
    /** Of one attempt, from the connection to the end of the response. */
    readonly timeoutMs: number;
  };
  /** On the way to the model endpoint, search providers and MCP servers. Undefined: all are reached directly. */
  readonly proxies?: ProxySettings;
  readonly pages: {
    /** Pages of these origins are read at any address and port; all others at public addresses only. */
    readonly allowedOrigins: readonly string[];
    /** The URL of the proxy that fetches all other pages, and so decides which addresses are reached. */
    readonly proxy?: string;
  };
  readonly metrics: {
    readonly host: string;
    /** Each process takes the first free one; 0 is any. Undefined: no metrics. */
    readonly ports?: readonly [first: number, last: number];
  };
  /** Undefined: nothing is traced. */
  readonly tracing?: {
    /** What every span says of the service. */
    readonly resource: Readonly<Record<string, string>>;
    /** A name of OTEL_TRACES_SAMPLER. */
    readonly sampler: string;
    readonly samplerRatio: number;
    /** How long spans are collected before they are sent. */
    readonly exportDelayMs: number;
    /** Whether attributes of the GenAI conventions are sent. */
    readonly genAi: boolean;
  };
  readonly documents: {
    /** Folder of searchable `.md` and `.txt` files. Undefined: none. */
    readonly folder?: string;
  };
  readonly search: {
    /** In the order in which they are asked, public and private ones apart. */
    readonly providers: readonly SearchProviderConfig[];
  };
  readonly mcp: {
    /** Servers whose tools are provided like built-in ones. */
    readonly servers: readonly McpServerConfig[];
  };
  /** Tools that the model endpoint executes itself. */
  readonly hosted: HostedTools;
  /** Undefined: an embedded private server. */
  readonly redis?: RedisTarget;
  readonly dataDir: string;
  /** A worker writes this file every few seconds. */
  readonly heartbeatFile?: string;
  readonly logLevel: string;
}
