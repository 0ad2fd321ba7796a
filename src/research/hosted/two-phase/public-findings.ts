import type { Source } from '../../../message/citation';
import type { FieldsOf } from '../../../runs/record/run.fields';
import type { HostedField } from '../hosted-run.fields';
import type { ResearchArguments } from '../../research.arguments';

/** What the public phase of a research found, as the record of the second keeps it: that may outlive the first one's. */
export interface PublicFindings {
  text: string;
  sources: Source[];
}

const TITLE = 'Report of the research on the web';

/** Undefined: there is no public phase, or it has not ended. */
export function findingsIn(
  fields: FieldsOf<HostedField>,
): PublicFindings | undefined {
  return fields.public
    ? (JSON.parse(fields.public) as PublicFindings)
    : undefined;
}

/** What the second phase is asked. */
export function withFindings(
  args: ResearchArguments,
  found: PublicFindings | undefined,
): ResearchArguments {
  if (!found) return args;
  const { documents = [] } = args;
  const report = { title: TITLE, text: found.text };
  return { ...args, documents: [...documents, report] };
}
