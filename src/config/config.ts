import type { AgentsConfig } from './files/agents';
import type { HostedTools } from './files/hosted-tools';
import type { McpServerConfig } from './files/mcp-servers';
import type { RedisTarget } from './settings/redis-url';

export type ModelProfileName =
  'research' | 'reasoning' | 'plain' | 'completions';

export const CHAT_ENGINES = ['agents', 'responses', 'prompt'] as const;
export type ChatEngine = (typeof CHAT_ENGINES)[number];
/** `agentic`: a chat of configured agents, or one that is offered hosted tools. `bare`: any other. */
export type ChatKind = 'agentic' | 'bare';

export const GUARDRAILS = ['pii', 'citations'] as const;
export type BuiltInGuardrail = (typeof GUARDRAILS)[number];
/** Whether what a guardrail finds is taken out, or ends the request. */
export type GuardrailMode = 'redact' | 'refuse';

/** Everything that can be configured, read once at the start. Also the injection token. */
export class AppConfig {
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly loopback: boolean;
    /** Host names that are served besides those of the loopback; `*` is any. */
    readonly allowedHosts: readonly string[];
    /** Pages of these origins may read replies in a browser. */
    readonly corsOrigins: readonly string[];
    /** Bytes of all request bodies that are arriving at a time. */
    readonly bodyMemoryBytes: number;
    /** For one request body to arrive. */
    readonly bodyTimeoutMs: number;
    /** Who may read `/docs` and `/openapi.json`. */
    readonly docs: 'public' | 'key' | 'off';
  };
  readonly auth: {
    /** Caller name -> SHA-256 of its keys, hex: several while one replaces another. Empty: anonymous. */
    readonly apiKeys: ReadonlyMap<string, readonly string[]>;
    readonly admin?: { readonly user: string; readonly password: string };
  };
  readonly upstream: {
    /** Undefined: the built-in sandbox. Always ends in `/v1`. */
    readonly baseUrl?: string;
    /** What the built-in sandbox knows; undefined where the upstream is another one. */
    readonly sandboxTopics?: readonly string[];
    readonly apiKey?: string;
    readonly chatModel: string;
    /** Those that a request may choose besides the chat model. */
    readonly chatModels: readonly string[];
    /** Names of request headers that are passed on, in lower case. */
    readonly forwardedHeaders: readonly string[];
    /** Tried in order; the first that is not gone is used. */
    readonly researchModels: readonly string[];
    /** Whether the operator named them. Those that are not named are chosen by what the endpoint offers, see `ModelChoice`. */
    readonly namedModels: {
      readonly research: boolean;
      readonly chat: boolean;
    };
    readonly modelProfiles: ReadonlyMap<string, ModelProfileName>;
    /** Models that are described their tools in the prompt; `gpt-oss*` is all that begin so. */
    readonly promptedModels: readonly string[];
    /** Tried in order, see `ModelClient`. A list that is configured holds for both kinds. */
    readonly chatEngines: Readonly<Record<ChatKind, readonly ChatEngine[]>>;
    /** Turns of a model in one chat. In the last one it is told to answer without tools. */
    readonly maxTurns: number;
    readonly turnTimeoutMs: number;
    /** Of the webhooks that the endpoint sends, `whsec_<base64>` or plain; any of them may sign. Empty: it sends none. */
    readonly webhookSecrets: readonly string[];
  };
  readonly research: {
    readonly timeoutMs: number;
    /** Runs one worker process holds at a time. */
    readonly concurrency: number;
    /** Model (`*`: any other) -> how many runs it has at once, over all workers. */
    readonly modelLimits: ReadonlyMap<string, string>;
    readonly ambiguousSubmit: 'fail' | 'resubmit';
  };
  readonly tools: {
    /** Names of tools that are switched off; `files__*` is all that begin so. */
    readonly off: readonly string[];
    /** Of tools without a time limit of their own; research has its own. */
    readonly timeoutMs: number;
    /** Tools that one worker process runs at a time, research aside. */
    readonly concurrency: number;
    /** Calls in one chat request, of one tool and of all. */
    readonly maxCallsPerTool: number;
    readonly maxCalls: number;
    /** Runs of research in one chat request. */
    readonly maxResearch: number;
    /** Its `*.tool.js` are loaded beside the service's own. */
    readonly folder?: string;
  };
  readonly chat: {
    /** Chats on record that one worker process carries at a time. */
    readonly concurrency: number;
  };
  /** Who answers chats. Undefined: the chat model, with all tools and no instructions. */
  readonly agents?: AgentsConfig;
  /** Those of the built-in guardrails that are on, in the order in which they are named. */
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
  };
  readonly webhooks: {
    /** API key name, or `*` for everyone else -> `whsec_…`; all of them sign. None: no webhooks. */
    readonly secrets: ReadonlyMap<string, readonly string[]>;
    /** API key name -> where the ends of its invocations are announced unless a request says otherwise. */
    readonly urls: ReadonlyMap<string, string>;
    /** Lets webhooks go over http and to addresses that are not public. */
    readonly allowPrivate: boolean;
  };
  readonly documents: {
    /** Its `.md` and `.txt` files can be searched. Undefined: there are none. */
    readonly folder?: string;
  };
  readonly mcp: {
    /** Servers whose tools are offered as this service's own. */
    readonly servers: readonly McpServerConfig[];
  };
  /** Tools that the model endpoint runs itself. */
  readonly hosted: HostedTools;
  /** Undefined: an embedded private server. */
  readonly redis?: RedisTarget;
  readonly dataDir: string;
  /** A worker writes it every few seconds. */
  readonly heartbeatFile?: string;
  readonly logLevel: string;
}
