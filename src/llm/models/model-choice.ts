import { Injectable } from '@nestjs/common';
import { distance } from 'fastest-levenshtein';
import { AppConfig } from '../../config/config';
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_RESEARCH_MODELS,
} from '../../config/settings/models/default-models';
import { ModelCatalog } from './model-catalog';

/** How many names of the endpoint a message lists, those similar to the missing one first. */
const SHOWN = 8;
const COMPARED = 1_000;

/**
 * Which models are used: those that the configuration names, else the only model or the first default that the endpoint
 * lists.
 */
@Injectable()
export class ModelChoice {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly config: AppConfig,
  ) {}

  /** Waits for the first list of models, for at most 5 s. */
  async known(): Promise<this> {
    await this.catalog.known();
    return this;
  }

  /**
   * In the order in which they are tried. If none of the configured models is available, all of them: the endpoint then
   * returns the error.
   */
  get research(): readonly string[] {
    const { namedModels, researchModels } = this.config.upstream;
    return namedModels.research
      ? this.available(researchModels)
      : this.firstListed(DEFAULT_RESEARCH_MODELS);
  }

  get chat(): string {
    const { namedModels, chatModel } = this.config.upstream;
    return namedModels.chat
      ? chatModel
      : this.firstListed(DEFAULT_CHAT_MODELS)[0];
  }

  /** Called when the endpoint refused the model. Returns whether another research model is available. */
  withoutResearch(model: string): boolean {
    this.catalog.markUnavailable(model);
    return this.research.some((other) => !this.catalog.isUnavailable(other));
  }

  /** `research: gpt-5.5 (o3-deep-research is not listed), chat: gpt-4o (default)`. */
  get summary(): string {
    const { research, chat } = this.config.upstream.namedModels;
    return [
      `research: ${this.research[0]} (${this.reason(research, this.research[0], DEFAULT_RESEARCH_MODELS)})`,
      `chat: ${this.chat} (${this.reason(chat, this.chat, DEFAULT_CHAT_MODELS)})`,
    ].join(', ');
  }

  /**
   * What an operator should fix, e.g. names that the endpoint does not list. It contains model names: only for the log,
   * health and doctor.
   */
  get faults(): string[] {
    const { upstream } = this.config;
    const unavailable = upstream.researchModels.filter(
      (model) =>
        upstream.namedModels.research && this.catalog.isUnavailable(model),
    );
    const missing = this.namedModels().filter(
      (model) =>
        this.catalog.complete &&
        !this.catalog.names.includes(model) &&
        !unavailable.includes(model),
    );
    return [
      ...(unavailable.length > 0
        ? [`no longer available: ${unavailable.join(', ')}`]
        : []),
      ...missing.map(
        (model) =>
          `model "${model}" not found; the endpoint lists ${this.suggestions(model)}`,
      ),
      ...this.unsetFault('LITELLM_MODEL', DEFAULT_RESEARCH_MODELS, 'research'),
      ...this.unsetFault('LITELLM_CHAT_MODEL', DEFAULT_CHAT_MODELS, 'chat'),
    ];
  }

  private unsetFault(
    variable: string,
    defaults: readonly string[],
    use: 'research' | 'chat',
  ): string[] {
    const { catalog } = this;
    if (this.config.upstream.namedModels[use] || !catalog.complete) return [];
    if (catalog.names.length === 1) return [];
    if (defaults.some((model) => catalog.nameOf(model))) return [];
    const suggestions = this.suggestions(defaults[0]);
    return [
      `${variable} is not set and no default is listed; the endpoint lists ${suggestions}`,
    ];
  }

  private namedModels(): string[] {
    const { upstream, agents } = this.config;
    const { namedModels, researchModels, chatModel } = upstream;
    const named = [
      ...(namedModels.research ? researchModels : []),
      ...(namedModels.chat ? [chatModel] : []),
      ...[...(agents?.agents.values() ?? [])].flatMap(
        ({ model }) => model ?? [],
      ),
    ];
    return [...new Set(named)];
  }

  /** Without a complete list any default may exist: they are tried in order. */
  private firstListed(defaults: readonly string[]): readonly string[] {
    const listed = defaults.flatMap(
      (model) => this.catalog.nameOf(model) ?? [],
    );
    if (listed.length > 0) return listed;
    const { names, complete } = this.catalog;
    if (complete && names.length === 1) return names;
    return this.catalog.complete ? [defaults[0]] : this.available(defaults);
  }

  private available(models: readonly string[]): readonly string[] {
    const available = models.filter(
      (model) => !this.catalog.isUnavailable(model),
    );
    return available.length > 0 ? available : models;
  }

  private reason(
    named: boolean,
    model: string,
    [first]: readonly string[],
  ): string {
    if (named) return 'configured';
    if (this.catalog.names.length === 0)
      return 'default; the endpoint lists no models';
    if (model.endsWith(first)) return 'default';
    return this.catalog.names.length === 1
      ? 'the only model'
      : `${first} is not listed`;
  }

  private suggestions(model: string): string {
    const names = this.catalog.names
      .slice(0, COMPARED)
      .filter((name) => /^[\w.:/@-]+$/.test(name));
    const similar = names
      .map((name) => ({ name, difference: distance(model, name) }))
      .sort((a, b) => a.difference - b.difference)
      .slice(0, SHOWN)
      .map(({ name }) => name);
    const more = this.catalog.names.length - similar.length;
    return similar.join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
}
