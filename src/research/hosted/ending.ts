import type { Response } from 'openai/resources/responses/responses';
import { AppError, type ErrorCode } from '../../errors';
import { codePoints, distinctSources, moved } from '../../message/citation';
import { failureCode } from '../../llm/upstream/upstream.cause';
import { ended } from '../../runs/worker/run.outcome';
import type { Finish } from '../../runs/record/run.store';
import { readReport } from './report';
import type { HostedRunWriter } from './hosted-run.writer';

const INCOMPLETE: Record<string, ErrorCode> = {
  max_output_tokens: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** How a run ends whose response has ended. Passes the rest of the text on first. */
export async function endingOf(
  response: Response,
  journal: HostedRunWriter,
): Promise<Finish> {
  const ending = await readEnding(response, journal);
  return { ...ending, model: response.model };
}

async function readEnding(
  response: Response,
  journal: HostedRunWriter,
): Promise<Finish> {
  const fields = await settle(response, journal);
  const usable = journal.text.trim() !== '';
  switch (response.status) {
    case 'completed':
      return usable
        ? { status: 'completed', fields }
        : ended('failed', 'empty_output', fields);
    case 'incomplete': {
      const code =
        INCOMPLETE[response.incomplete_details?.reason ?? ''] ??
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

/** How a run ends that was stopped on our side, with whatever the response holds by then. */
export async function stoppedEnding(
  code: 'cancelled' | 'research_timeout',
  response: Response | undefined,
  journal: HostedRunWriter,
): Promise<Finish> {
  if (code === 'research_timeout' && response?.status === 'completed')
    return endingOf(response, journal);
  const fields = response ? await settle(response, journal) : {};
  if (code === 'cancelled') return ended('cancelled', code, fields);
  return ended(
    journal.text.trim() === '' ? 'failed' : 'incomplete',
    code,
    fields,
  );
}

/** How a run ends that nothing can be learnt of any more. */
export function failedEnding(
  error: AppError,
  journal: HostedRunWriter,
): Finish {
  const usable =
    error.code !== 'output_too_large' && journal.text.trim() !== '';
  const status = usable ? 'incomplete' : 'failed';
  return ended(status, error.code, {}, error.message);
}

/** Brings text and fields of the record up to what the response holds. */
async function settle(
  response: Response,
  journal: HostedRunWriter,
): Promise<Record<string, string>> {
  const report = readReport(response);
  const shift = await passOn(report.text.toWellFormed(), journal);
  return {
    citations: JSON.stringify(moved(report.citations, shift)),
    sources: JSON.stringify(
      distinctSources([...report.sources, ...journal.publicSources]),
    ),
    // It was needed to begin.
    ...(journal.phase !== '' && { public: '' }),
    usage: report.usage ? JSON.stringify(report.usage) : '',
    progress: JSON.stringify(report.progress),
    response: JSON.stringify(presentable(response)),
  };
}

/**
 * Passes on what is missing of the whole text. Answers by how many code points the whole was moved: what was passed on
 * cannot be taken back, so a whole that does not begin with it comes after it.
 */
async function passOn(
  whole: string,
  journal: HostedRunWriter,
): Promise<number> {
  const { text } = journal;
  if (whole.startsWith(text)) await journal.add(whole.slice(text.length));
  if (whole.startsWith(text) || text.startsWith(whole)) return 0;
  await journal.add(`\n\n${whole}`);
  return codePoints(text) + 2;
}

/**
 * The response without the upstream's own words on what went wrong, and without what it was told of MCP servers: both may
 * name hosts, and a gateway may repeat secrets.
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
