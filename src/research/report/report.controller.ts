import { createHash } from 'node:crypto';
import { Get, Headers, Query, Req, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { projectVersion } from '../../config/project-version';
import { AppError } from '../../platform/errors';
import { Shutdown } from '../../platform/http/shutdown';
import { contentType, type Format, MEDIA_TYPES } from '../../report/formats';
import type { ReportInput } from '../../report/report.types';
import { ReportThread } from '../../report/report-thread';
import { CONTENT_POLICY } from '../../report/writers/write-html';
import { InvocationController } from '../../runs/http/run-routes';
import { Run } from '../../runs/http/run.guard';
import { whileWanted } from '../../runs/http/run-reply';
import type { RunRecord } from '../../runs/record/run-record';
import { preferredFormat } from './accept';
import { attachment } from './attachment';
import { ApiReport } from './report-api';
import { ReportQueryDto } from './report.dto';
import { ReportSource } from './report-source';

const VERSION = projectVersion();

/** The report of a run as a file, below the path of its record. */
@InvocationController()
export class ReportController {
  constructor(
    private readonly source: ReportSource,
    private readonly thread: ReportThread,
    private readonly shutdown: Shutdown,
  ) {}

  @Get('report')
  @RequiresScope('read')
  @ApiReport()
  async report(
    @Run() record: RunRecord,
    @Query() query: ReportQueryDto,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    addToVary(reply, 'Accept, Authorization, X-Invocation-Token');
    const format = query.format ?? preferredFormat(headers.accept);
    if (!format) throw notAcceptable();
    const input = await this.source.read(record);
    const tag = tagOf(format, input);
    reply.header('ETag', tag);
    reply.header('Cache-Control', 'private, no-cache');
    if (matches(headers['if-none-match'], tag)) {
      reply.code(304);
      return undefined;
    }
    const { title, bytes } = await this.render(
      format,
      record,
      input,
      request,
      reply,
    );
    reply.header('Accept-Ranges', 'none');
    if (format === 'html')
      reply.header(
        'Content-Security-Policy',
        `${CONTENT_POLICY}; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox`,
      );
    return new StreamableFile(bytes, {
      type: contentType(format),
      disposition: attachment(title, record.id, format),
      length: bytes.length,
    });
  }

  private async render(
    format: Format,
    { caller = '' }: RunRecord,
    input: ReportInput,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const wanted = whileWanted(request, reply, this.shutdown);
    try {
      return await this.thread.render({ format, input }, caller, wanted);
    } catch (error) {
      if (!wanted.aborted) throw error;
      throw this.shutdown.signal.aborted
        ? new AppError('shutting_down')
        : new AppError('bad_request', 'The client has disconnected.');
    }
  }
}

/** Weak: files of the same report differ in nothing that a reader sees. Whatever a purge removes changes it. */
function tagOf(format: Format, input: ReportInput): string {
  const hash = createHash('sha256').update(
    JSON.stringify([VERSION, format, input]),
  );
  return `W/"${hash.digest('base64url')}"`;
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.slice(2);
  return header
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === opaque);
}

/** It may name the origin already. */
function addToVary(reply: FastifyReply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('Vary', before ? `${String(before)}, ${names}` : names);
}

function notAcceptable(): AppError {
  const types = Object.values(MEDIA_TYPES).join(', ');
  return new AppError('not_acceptable', `A report can be ${types}.`);
}
