import type {
  Block,
  Inline,
  ReportDocument,
} from '../../../src/report/report.types';

/** The report as `GET …/report?format=json` returns it: blocks and runs are the types of the writer itself. */
export type { Block, Inline, ReportDocument };
