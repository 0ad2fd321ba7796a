import type { ErrorCode } from '../../../platform/errors';
import { codePoints, moved } from '../../../platform/message/citation';
import type { AgentRun } from '../agent-run';
import type { AgentCitation, BoundSection } from '../agent.types';
import { writeSection } from '../stages/write-stage';
import type { ReportOutline } from '../stages/outline-stage';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { consulted, MISSING, SOURCES } from '../text/shown-evidence';
import { withoutRepeats } from '../text/repeats';
import { missingSection } from './missing-section';
import { outlineObject } from './outline-object';
import type { Cited, CitedText } from './cited-run';
import { relocated } from './relocated';
import { append, sectionText, titleText } from './report-text';
import { sourcesText } from './sources-section';
import { schemaObject, Unsupported } from './schema-object';

/** Failures of one prompt: another one may have a usable answer. */
const OF_PROMPT: readonly ErrorCode[] = [
  'agent_model_failed',
  'upstream_rejected',
  'context_length_exceeded',
  'content_policy',
];

interface Emitted extends CitedText {
  refused?: true;
  /** For the evidence. What a guardrail has taken out of the text stays out of it. */
  sections?: BoundSection[];
}

/** Writes a report and emits it, section by section once the answer is written. What is emitted never changes. */
export class ReportWriter {
  readonly citations: AgentCitation[] = [];
  /** A guardrail refused a part of the report. */
  refused = false;
  /** Why a part of the report is not written. */
  failure?: ModelFailed | LimitReached;
  /** The sections that have their notes instead, by number from 1. */
  readonly unwritten: number[] = [];
  private readonly numbers = new Map<number, number>();
  private length = 0;

  constructor(
    private readonly run: AgentRun,
    readonly outline: ReportOutline,
  ) {}

  /** Whether anything is on record of the text. */
  get begun(): boolean {
    return this.length > 0;
  }

  async write(): Promise<void> {
    const { text_format, deliverable_format } = this.run.task.args;
    if (text_format?.type === 'json_schema')
      return this.writeSchema(text_format.schema);
    const isObject = text_format?.type === 'json_object';
    if (isObject || deliverable_format === 'json_outline') {
      await this.bindAll();
      return this.emit('outline', this.outlineObject());
    }
    for (const [at, section] of (await this.sections()).entries()) {
      if (section.sentences.length === 0) continue;
      await this.emit(String(at), this.sectionOf(section), [section]);
    }
    const missing = missingSection(this.run, this.outline);
    if (missing) await this.emit(MISSING, this.sectionOf(missing), [missing]);
    await this.emit(SOURCES, { text: this.sourcesText(), citations: [] }, []);
  }

  /** Of the sources that the text shows. */
  private sourcesText(): string {
    const cited = new Set(this.citations.map(({ source }) => source));
    const shown = [...this.numbers].filter(([source]) => cited.has(source));
    const text = sourcesText(this.run, new Map(shown));
    return text && `\n\n${text}`;
  }

  private async writeSchema(schema: Record<string, unknown>): Promise<void> {
    await this.bindAll();
    if (this.run.sections.length === 0) return;
    const value = await this.filled(schema);
    if (value === undefined) return this.emit('outline', this.outlineObject());
    const text = JSON.stringify(value, null, 2);
    // The object has no place for links: its sources stand beside it.
    const { citations } = this.outlineObject();
    const range = { start_index: 0, end_index: codePoints(text) };
    const whole = citations.map(
      ({ sentence_start: _start, sentence_end: _end, ...one }) => ({
        ...one,
        ...range,
      }),
    );
    await this.emit('object', { text, citations: whole });
  }

  /** Undefined: the model has filled in nothing. An object that no source supports is no result at all. @throws Unsupported */
  private async filled(schema: Record<string, unknown>): Promise<unknown> {
    if (this.asks)
      try {
        return await schemaObject(this.run, schema, this.run.sections);
      } catch (error) {
        const isFailure =
          error instanceof ModelFailed || error instanceof LimitReached;
        if (!isFailure || error instanceof Unsupported) throw error;
        this.failure ??= error;
      }
    return undefined;
  }

  private async bindAll(): Promise<void> {
    for (const section of await this.sections())
      if (section.sentences.length > 0) this.run.sections.push(section);
  }

  /** In the order of the text. The answer, which stands first, is written last, from what the others say. */
  private async sections(): Promise<BoundSection[]> {
    const details: BoundSection[] = [];
    for (let at = 1; at < this.outline.sections.length; at += 1) {
      const section = await this.section(at, details);
      details.push(await withoutRepeats(section, details));
    }
    return [await this.section(0, details), ...details];
  }

  /** Once the model cannot be had, the sections that follow are made of their notes. */
  private async section(
    at: number,
    earlier: readonly BoundSection[],
  ): Promise<BoundSection> {
    const { run, outline, asks } = this;
    const matter = { outline, at, earlier };
    const { section, failure } = await writeSection(run, matter, asks);
    this.failure = failure ?? this.failure;
    if (section.unwritten) this.unwritten.push(at + 1);
    return section;
  }

  private get asks(): boolean {
    const { failure } = this;
    return (
      !(failure instanceof ModelFailed) || OF_PROMPT.includes(failure.code)
    );
  }

  private outlineObject(): CitedText {
    return outlineObject(this.outline.title, this.run.sections, this.cited);
  }

  private sectionOf(section: BoundSection): CitedText {
    const { deliverable_format } = this.run.task.args;
    const isBrief = deliverable_format === 'markdown_brief';
    const result: CitedText = { text: '', citations: [] };
    // Also where the first section had nothing to say, the report begins with its title.
    if (this.begun) append(result, '\n\n');
    else if (!isBrief) append(result, titleText(this.outline.title));
    const { text, citations } = sectionText(
      section,
      this.cited,
      isBrief && section.title !== '',
    );
    append(result, text, citations);
    return result;
  }

  private get cited(): Cited {
    const { notes, sources, task } = this.run;
    return {
      notes: new Map(notes.map((note) => [note.id, note])),
      sources,
      links: task.args.require_citations,
      numbers: this.numbers,
    };
  }

  /**
   * One write: the event, the text and what cites in it.
   * @param sections that the text is made of; all where none are given.
   */
  private async emit(
    key: string,
    cited: CitedText,
    sections?: readonly BoundSection[],
  ): Promise<void> {
    if (cited.text === '') return;
    const emitted = await this.run.journal.step<Emitted>(
      `emit:${key}`,
      cited.text,
      'local',
      async (signal) => {
        const passed = await this.guarded(cited, signal);
        if (passed.text === '') return { value: passed };
        const shown = sections ?? this.run.sections;
        const isWhole = passed.text === cited.text;
        return {
          value: isWhole ? { ...passed, sections: [...shown] } : passed,
          fields: this.fieldsWith(passed.citations),
          events: [{ type: 'output_text', data: { text: passed.text } }],
          text: passed.text,
        };
      },
    );
    this.citations.push(...moved(emitted.citations, this.length));
    this.length += codePoints(emitted.text);
    if (emitted.refused) this.refused = true;
    if (sections && emitted.sections) this.run.sections.push(...sections);
    if (!sections && !emitted.sections) this.run.sections.length = 0;
  }

  /** So that the record of a run that is cut off has what its text cites. */
  private fieldsWith(
    cited: readonly AgentCitation[],
  ): Record<'citations' | 'sources', string> {
    const citations = [...this.citations, ...moved(cited, this.length)];
    return {
      citations: JSON.stringify(citations),
      sources: JSON.stringify(consulted(this.run, citations)),
    };
  }

  private async guarded(
    cited: CitedText,
    signal: AbortSignal,
  ): Promise<Emitted> {
    const { guard } = this.run.ports;
    if (!guard) return cited;
    const consulted = new Set(this.run.sources.map(({ url }) => url));
    const text = await guard.section(cited.text, consulted, signal);
    if (text === undefined) return { text: '', citations: [], refused: true };
    return { text, citations: relocated(cited, text) };
  }
}
