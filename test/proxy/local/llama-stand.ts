import type { ForeignServer } from '../../support/processes/foreign-server';
import { Stand } from '../../support/processes/stand';
import { type LlamaOptions, startLlamaServer } from './llama-server';
import { Recorder } from './recorder';

/** The server takes any name. */
const MODEL = 'smollm2';
/** A real model on a busy machine takes its time. */
const TURN_SECONDS = '280';
/** A small model goes on as long as it may. */
const ANSWER_TOKENS = '48';

/** The codes of an end that the protocol is at fault for, not the model. */
export const PROTOCOL_FAULT =
  /^(upstream_(rejected|error|unreachable|wrong_url|response_gone|cancelled|failed)|internal_error)$/;

/** An installation whose model endpoint is a real server, with a recorder between. */
export class LlamaStand {
  private constructor(
    readonly stand: Stand,
    readonly llama: ForeignServer,
    readonly recorder: Recorder,
  ) {}

  static async start(
    options: LlamaOptions = {},
    env: Record<string, string> = {},
  ): Promise<LlamaStand> {
    const llama = await startLlamaServer(options);
    const recorder = await Recorder.before(llama.url);
    const stand = await Stand.start({
      apis: 0,
      workers: 0,
      env: {
        ...envOf(recorder.url),
        RELAY_MAX_OUTPUT_TOKENS: ANSWER_TOKENS,
        ...env,
      },
    });
    await Promise.all([stand.addApi(), stand.addWorker()]);
    return new LlamaStand(stand, llama, recorder);
  }

  async stop(): Promise<void> {
    await this.stand.stop();
    await this.recorder.close();
    await this.llama.stop();
  }
}

export const envOf = (endpoint: string): Record<string, string> => ({
  LITELLM_BASE_URL: endpoint,
  LITELLM_MODEL: MODEL,
  LITELLM_CHAT_MODEL: MODEL,
  RELAY_MODEL_PROFILES: `${MODEL}:plain`,
  RELAY_AGENT_CONTEXT_TOKENS: '8192',
  RELAY_TIMEOUT_SECONDS: TURN_SECONDS,
});
