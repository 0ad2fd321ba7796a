import type { ReportDocument } from '../report.types';
import { titleOf } from './labels';

export function writeJson(document: ReportDocument): string {
  return JSON.stringify({ ...document, title: titleOf(document) });
}
