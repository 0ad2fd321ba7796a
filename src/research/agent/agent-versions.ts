import type { ErrorCode } from '../../platform/errors';
import type { Citation, Source } from '../../platform/message/citation';
import type { ResearchTask } from './agent.types';
import type { Journal } from './journal/journal';

/** What a run of the agent is to do. */
export interface AgentTask extends ResearchTask {
  /** The name of the caller's key, for guardrails; undefined without keys. */
  caller?: string;
}

/** How a run of the agent ended. Its text is in the journal's steps. */
export interface AgentEnd {
  status: 'completed' | 'incomplete' | 'failed';
  code?: ErrorCode;
  /** Safe to show; instead of the sentence of the code. */
  message?: string;
  /** Offsets in Unicode code points of the whole text. */
  citations: readonly Citation[];
  sources: readonly Source[];
  limitsReached: readonly string[];
  /** That wrote the text. */
  model?: string;
}

/** A function of its journal: called again with the same one, it does nothing again that is settled. */
export type AgentFunction = (
  task: AgentTask,
  journal: Journal,
  signal: AbortSignal,
) => Promise<AgentEnd>;

/** The decision of a journal that holds the version of its run. */
export const VERSION_DECISION = 'agent_version';
/** The first one begins new runs. */
export const RELEASED_VERSIONS: readonly string[] = ['2'];
/** That no release carries any more: their runs end with what they have. */
export const RETIRED_VERSIONS: readonly string[] = ['1'];

/**
 * The versions of the agent that this release has. A run stays with the version that began it, so a release has the one
 * before as well.
 */
export class AgentVersions {
  /** @param current begins new runs. */
  constructor(
    private readonly versions: ReadonlyMap<string, AgentFunction>,
    readonly current: string,
  ) {}

  of(version: string): AgentFunction | undefined {
    return this.versions.get(version);
  }
}
