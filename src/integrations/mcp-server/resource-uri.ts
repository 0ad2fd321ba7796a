import type { RunRecord } from '../../runs/record/run-record';

export type ResourceKind = 'report' | 'sources';

const FORM =
  /^sonde:\/\/invocations\/((?:inv|chat)_[0-9a-f]{32})\/(report|sources)$/;

export function uriOf(id: string, kind: ResourceKind): string {
  return `sonde://invocations/${id}/${kind}`;
}

export function readUri(
  uri: string,
): { id: string; kind: ResourceKind } | undefined {
  const [, id, kind] = FORM.exec(uri) ?? [];
  return id ? { id, kind: kind as ResourceKind } : undefined;
}

/** Of its report. */
export function mimeTypeOf({
  deliverableFormat,
}: Pick<RunRecord, 'deliverableFormat'>): string {
  return deliverableFormat === 'json_outline'
    ? 'application/json'
    : 'text/markdown';
}
