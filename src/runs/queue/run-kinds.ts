import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import type { FieldError } from '../../platform/errors';
import type { RunDispatcher } from './run-dispatcher';
import type { RunEstimate } from '../record/run-estimate';
import { QueuePositions } from '../record/queue-positions';
import type { FieldsOf, RunField } from '../record/run-fields';
import type { StoredFields } from '../record/stored-fields';

/** What is removed together with a record: other records, and responses at the model endpoint. */
export interface Attachments {
  runs?: string[];
  responses?: string[];
}

/** A kind of run, as every process knows it. What a worker process adds is its `RunHandler`. */
export interface RunKind {
  /** The `tool` of its records. */
  readonly name: string;
  readonly dispatcher: RunDispatcher;
  /**
   * Checks the arguments of a submission and fills in defaults; undefined: the default kind does.
   * @throws AppError that names every fault, those `found` before included.
   */
  parse?(
    tool: string,
    args: Record<string, unknown>,
    found?: readonly FieldError[],
  ): Record<string, unknown>;
  /**
   * Checked arguments as the record keeps them; undefined: as they are. May take seconds.
   * @throws AppError if they cannot be kept, e.g. because a file cannot be read.
   */
  kept?(
    args: Record<string, unknown>,
    caller: CallerIdentity,
  ): Promise<Record<string, unknown>>;
  /**
   * Fields that a record of this kind begins with, besides those that are given.
   * @throws AppError if there can be no such run now.
   */
  fieldsOf?(
    args: Record<string, unknown>,
    caller: CallerIdentity,
    given: FieldsOf<RunField>,
  ): Promise<FieldsOf<RunField>>;
  /** Not called for a run that is accepted already. @throws AppError if the caller may begin none now. */
  mayBegin?(caller: CallerIdentity): Promise<void>;
  /** What a run with these arguments may use, before there is one. In API processes. @throws AppError if there can be no such run now. */
  estimate?(
    args: Record<string, unknown>,
    caller: CallerIdentity,
  ): Promise<RunEstimate>;
  /** Called with every run that has ended or is gone, of any kind. Safe to repeat; throws to be called again. */
  settle?(id: string): Promise<void>;
  /** Pages of a few hundred runs for which this kind keeps something until they are settled. */
  leftovers?(): AsyncIterable<string[]>;
  /** What is removed together with a record of this kind. */
  purge?(id: string, fields: StoredFields): Attachments;
}

/** The kinds of runs, by the tool of their records. A tool without a kind of its own, present or not, is of the default kind. */
@Injectable()
export class RunKinds extends QueuePositions {
  private readonly named = new Map<string, RunKind>();
  private default?: RunKind;

  register(kind: RunKind): void {
    this.named.set(kind.name, kind);
  }

  registerDefault(kind: RunKind): void {
    this.default = kind;
    this.register(kind);
  }

  all(): RunKind[] {
    return [...this.named.values()];
  }

  of(tool: string): RunKind {
    const kind = this.named.get(tool) ?? this.default;
    if (!kind) throw new Error(`No kind of run is registered for "${tool}"`);
    return kind;
  }

  positionOf(tool: string, id: string): Promise<number | null> {
    return this.dispatcherOf(tool).queuePosition(id);
  }

  hasWorker(tool: string): Promise<boolean> {
    return this.dispatcherOf(tool).hasWorker();
  }

  dispatcherOf(tool: string): RunDispatcher {
    return this.of(tool).dispatcher;
  }

  /** @throws AppError see `RunKind.parse`. */
  parse(
    tool: string,
    args: Record<string, unknown>,
    found?: readonly FieldError[],
  ): Record<string, unknown> {
    const kind = this.of(tool);
    const parser = kind.parse ? kind : this.default;
    return parser?.parse?.(tool, args, found) ?? args;
  }
}
