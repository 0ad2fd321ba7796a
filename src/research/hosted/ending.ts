import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppError, type ErrorCode } from '../../platform/errors';
import {
  codePoints,
  distinctSources,
  moved,
} from '../../platform/message/citation';
import { PriceTable } from '../../llm/prices/price-table';
import { finishOf } from '../../llm/single-attempt/completion-reply';
import type { CompletionFinish } from '../../llm/single-attempt/completion.types';
import { failureCode } from '../../llm/upstream/upstream-cause';
import { ended } from '../../runs/worker/run-outcome';
import type { Finish } from '../../runs/store/run.store';
import { costOf } from './hosted-cost';
import { readReport } from './report';
import type { HostedRunWriter } from './record/hosted-run-writer';

const INCOMPLETE: Partial<Record<CompletionFinish, ErrorCode>> = {
  length: 'max_output_tokens',
  filtered: 'content_filter',
};

/** How runs end whose response is known. */
@Injectable()
export class HostedEndings {
  constructor(private readonly prices: PriceTable) {}

  /** The end of a run whose response has ended. Emits the rest of the text first. */
  async of(response: Response, writer: HostedRunWriter): Promise<Finish> {
    const fields = await settle(response, writer, this.prices);
    return { ...endingWith(fields, response, writer), model: response.model };
  }

  /** The end of a run that was cancelled or timed out here, with the content that its response has by then. */
  async stopped(
    code: 'cancelled' | 'research_timeout',
    response: Response | undefined,
    writer: HostedRunWriter,
  ): Promise<Finish> {
    if (code === 'research_timeout' && response?.status === 'completed')
      return this.of(response, writer);
    const fields = response ? await settle(response, writer, this.prices) : {};
    if (code === 'cancelled') return ended('cancelled', code, fields);
    return ended(
      writer.text.trim() === '' ? 'failed' : 'incomplete',
      code,
      fields,
    );
  }
}

function endingWith(
  fields: Record<string, string>,
  response: Response,
  writer: HostedRunWriter,
): Finish {
  const usable = writer.text.trim() !== '';
  switch (response.status) {
    case 'completed':
      if (usable && readReport(response).refused)
        return ended('incomplete', 'model_refused', fields);
      return usable
        ? { status: 'completed', fields }
        : ended('failed', 'empty_output', fields);
    case 'incomplete': {
      const code =
        INCOMPLETE[finishOf(response.incomplete_details?.reason) ?? 'other'] ??
        'upstream_incomplete';
      return ended(usable ? 'incomplete' : 'failed', code, fields);
    }
    case 'cancelled':
      return ended(
        usable ? 'incomplete' : 'failed',
        'upstream_cancelled',
        fields,
      );
    default:
      return ended('failed', failureCode(response.error), fields);
  }
}

/** The end of a run whose response can no longer be read. */
export function failedEnding(error: AppError, writer: HostedRunWriter): Finish {
  const usable = error.code !== 'output_too_large' && writer.text.trim() !== '';
  const status = usable ? 'incomplete' : 'failed';
  return ended(status, error.code, {}, error.message);
}

/** Brings the text and the fields of the record up to the content of the response. */
async function settle(
  response: Response,
  writer: HostedRunWriter,
  prices: PriceTable,
): Promise<Record<string, string>> {
  const report = readReport(response);
  const cost = costOf(response, report.usage, prices);
  const shift = await emitRest(report.text.toWellFormed(), writer);
  // A plain run was offered no search, whatever its model cites.
  const searched =
    writer.engine !== 'plain' &&
    (report.searched || writer.publicSources.length > 0);
  if (!searched && !report.refused) await disclose(writer);
  return {
    searched: searched ? '1' : '0',
    asks: report.asks ? '1' : '0',
    citations: JSON.stringify(moved(report.citations, shift)),
    sources: JSON.stringify(
      distinctSources([...report.sources, ...writer.publicSources]),
    ),
    // The findings are needed only to begin.
    ...(writer.phase !== '' && { public: '' }),
    usage: report.usage ? JSON.stringify(report.usage) : '',
    ...(cost && { cost: JSON.stringify(cost) }),
    progress: JSON.stringify(report.progress),
    response: JSON.stringify(presentable(response)),
  };
}

/** A worker that takes over may find the line on record. */
async function disclose(writer: HostedRunWriter): Promise<void> {
  const { text, disclosure } = writer;
  if (!disclosure || text.trim() === '' || text.endsWith(disclosure)) return;
  await writer.appendText(`\n\n${disclosure}`);
}

/**
 * Emits what is missing of the whole text. Returns by how many code points the whole was moved: emitted text cannot be
 * withdrawn, so a whole that does not begin with it follows it.
 */
async function emitRest(
  whole: string,
  writer: HostedRunWriter,
): Promise<number> {
  const { text } = writer;
  if (whole.startsWith(text)) await writer.appendText(whole.slice(text.length));
  if (whole.startsWith(text) || text.startsWith(whole)) return 0;
  await writer.appendText(`\n\n${whole}`);
  return codePoints(text) + 2;
}

/**
 * The response without the upstream's error messages and without the settings of MCP servers: both may name hosts, and a
 * gateway may repeat secrets.
 */
function presentable(response: Response): object {
  const { tools, output, error } = response;
  return {
    ...response,
    ...(Array.isArray(tools) && { tools: tools.map(withoutSecrets) }),
    ...(Array.isArray(output) && { output: output.map(withoutHosts) }),
    error: error ? { code: error.code } : null,
  };
}

function withoutSecrets(tool: Response['tools'][number]): object {
  if (tool?.type !== 'mcp') return tool;
  const { type, server_label, allowed_tools, require_approval } = tool;
  return { type, server_label, allowed_tools, require_approval };
}

function withoutHosts(item: Response['output'][number]): object {
  if (item?.type !== 'mcp_call' && item?.type !== 'mcp_list_tools') return item;
  return item.error ? { ...item, error: {} } : item;
}
