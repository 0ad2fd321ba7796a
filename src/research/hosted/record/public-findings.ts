import type { Source } from '../../../platform/message/citation';
import type { FieldsOf } from '../../../runs/record/run-fields';
import type { HostedField } from './hosted-run-fields';
import type { ResearchArguments } from '../../arguments/research-arguments';

/** The result of the public phase. The record of the private phase stores it, because it may outlive that of the public one. */
export interface PublicFindings {
  text: string;
  sources: Source[];
}

const TITLE = 'Report of the research on the web';

/** Undefined if there is no public phase, or it has not ended. */
export function findingsIn(
  fields: FieldsOf<HostedField>,
): PublicFindings | undefined {
  return fields.public
    ? (JSON.parse(fields.public) as PublicFindings)
    : undefined;
}

/** The arguments of the private phase: the findings are one more document. */
export function withFindings(
  args: ResearchArguments,
  findings: PublicFindings | undefined,
): ResearchArguments {
  if (!findings) return args;
  const { documents = [] } = args;
  const report = { title: TITLE, text: findings.text };
  return { ...args, documents: [...documents, report] };
}
