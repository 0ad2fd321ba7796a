import { Injectable } from '@nestjs/common';
import { distance } from 'fastest-levenshtein';
import { AppConfig } from '../../config/config';
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_RESEARCH_MODELS,
} from '../../config/settings/default-models';
import { ModelCatalog } from './model.catalog';

/** Names of the endpoint that an operator is shown, those like the missing one first. */
const SHOWN = 8;
const COMPARED = 1_000;

/** Which models are used: those that the configuration names, else the first of the defaults that the endpoint lists. */
@Injectable()
export class ModelChoice {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly config: AppConfig,
  ) {}

  /** Waits until the endpoint has been asked once, for at most 5 s. */
  async known(): Promise<this> {
    await this.catalog.known();
    return this;
  }

  /** In the order in which they are tried. All that are named if none of them is left: then the endpoint shall say so. */
  get research(): readonly string[] {
    const { namedModels, researchModels } = this.config.upstream;
    return namedModels.research
      ? this.left(researchModels)
      : this.among(DEFAULT_RESEARCH_MODELS);
  }

  get chat(): string {
    const { namedModels, chatModel } = this.config.upstream;
    return namedModels.chat ? chatModel : this.among(DEFAULT_CHAT_MODELS)[0];
  }

  /** The endpoint has just refused it. Whether there is another one for research. */
  withoutResearch(model: string): boolean {
    this.catalog.markGone(model);
    return this.research.some((other) => !this.catalog.isGone(other));
  }

  /** `research: gpt-5.5 (o3-deep-research is not offered), chat: gpt-4o (default)`. */
  get summary(): string {
    const { research, chat } = this.config.upstream.namedModels;
    return [
      `research: ${this.research[0]} (${this.why(research, this.research[0], DEFAULT_RESEARCH_MODELS)})`,
      `chat: ${this.chat} (${this.why(chat, this.chat, DEFAULT_CHAT_MODELS)})`,
    ].join(', ');
  }

  /** What an operator should mend, e.g. names that the endpoint does not list. For log, health and doctor: it names models. */
  get faults(): string[] {
    const { upstream } = this.config;
    const gone = upstream.researchModels.filter(
      (model) => upstream.namedModels.research && this.catalog.isGone(model),
    );
    const missing = this.namedModels().filter(
      (model) =>
        this.catalog.complete &&
        !this.catalog.names.includes(model) &&
        !gone.includes(model),
    );
    return [
      ...(gone.length > 0 ? [`gone: ${gone.join(', ')}`] : []),
      ...missing.map(
        (model) =>
          `model "${model}" not found; the endpoint offers ${this.offers(model)}`,
      ),
      ...this.unset('LITELLM_MODEL', DEFAULT_RESEARCH_MODELS, 'research'),
      ...this.unset('LITELLM_CHAT_MODEL', DEFAULT_CHAT_MODELS, 'chat'),
    ];
  }

  private unset(
    variable: string,
    defaults: readonly string[],
    use: 'research' | 'chat',
  ): string[] {
    const { catalog } = this;
    if (this.config.upstream.namedModels[use] || !catalog.complete) return [];
    if (defaults.some((model) => catalog.offered(model))) return [];
    const offers = this.offers(defaults[0]);
    return [
      `${variable} is not set and no default is offered; the endpoint offers ${offers}`,
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

  /** Without a whole list any default may be there: they are tried in order. */
  private among(defaults: readonly string[]): readonly string[] {
    const offered = defaults.flatMap(
      (model) => this.catalog.offered(model) ?? [],
    );
    if (offered.length > 0) return offered;
    return this.catalog.complete ? [defaults[0]] : this.left(defaults);
  }

  private left(models: readonly string[]): readonly string[] {
    const left = models.filter((model) => !this.catalog.isGone(model));
    return left.length > 0 ? left : models;
  }

  private why(
    named: boolean,
    model: string,
    [first]: readonly string[],
  ): string {
    if (named) return 'configured';
    if (this.catalog.names.length === 0)
      return 'default; the endpoint lists no models';
    return model.endsWith(first) ? 'default' : `${first} is not offered`;
  }

  private offers(model: string): string {
    const names = this.catalog.names
      .slice(0, COMPARED)
      .filter((name) => /^[\w.:/@-]+$/.test(name));
    const near = names
      .map((name) => ({ name, far: distance(model, name) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, SHOWN)
      .map(({ name }) => name);
    const more = this.catalog.names.length - near.length;
    return near.join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
}
