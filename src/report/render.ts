import type { Format } from './formats';
import { parseReport } from './parse/parse';
import type { ReportDocument, ReportInput } from './report.types';
import { writeDocx } from './writers/docx/write-docx';
import { writePdf } from './writers/pdf/write-pdf';
import { writeHtml } from './writers/write-html';
import { writeJson } from './writers/write-json';
import { writeMarkdown } from './writers/write-markdown';

export interface RenderTask {
  format: Format;
  input: ReportInput;
}

export interface Rendered {
  title: string;
  bytes: Uint8Array;
}

type Writer = (
  document: ReportDocument,
) => string | Uint8Array | Promise<Uint8Array>;

const WRITERS: Record<Format, Writer> = {
  md: writeMarkdown,
  html: writeHtml,
  docx: writeDocx,
  pdf: writePdf,
  json: writeJson,
};

/** A report in one format. Whatever a report does to its parser and writers happens here, in a thread that can be ended. */
export async function renderReport({
  format,
  input,
}: RenderTask): Promise<Rendered> {
  const document = parseReport(input);
  const written = await WRITERS[format](document);
  const bytes = typeof written === 'string' ? Buffer.from(written) : written;
  return { title: document.title, bytes };
}
