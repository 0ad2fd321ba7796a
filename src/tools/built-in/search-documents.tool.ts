import { Optional } from '@nestjs/common';
import { z } from 'zod';
import { renderDocuments } from '../../platform/message/document';
import { documentsSchema } from '../../platform/message/document.schema';
import type { ToolContext } from '../tool';
import { Tool } from '../tool.decorator';
import { ToolError } from '../tool-error';
import { excerptsOf } from '../documents/document-excerpts';
import {
  DocumentFolder,
  DocumentsUnavailable,
} from '../documents/document-folder';
import { DocumentIndex, type Hit } from '../documents/document-index';

const parameters = z.object({
  query: z
    .string()
    .min(1)
    .max(1_000)
    .describe('What to look for: the words that the documents would use.'),
  limit: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe('Maximum number of documents to return.'),
  documents: documentsSchema
    .optional()
    .describe('Documents of the caller, searched in addition.'),
});

type Arguments = z.infer<typeof parameters>;

/** Searches the documents of the request and of the folder that the operator configured. */
@Tool({
  name: 'search_documents',
  description:
    'Searches the documents at hand and returns the best matching passages, each with the title of its document. Use it ' +
    'before you answer from documents, and search again with other words if the passages do not contain the answer.',
  parameters,
  hidden: ['documents'],
  needsDocuments: true,
  annotations: {
    title: 'Search documents',
    readOnlyHint: true,
    idempotentHint: true,
  },
})
export class SearchDocumentsTool {
  constructor(@Optional() private readonly folder?: DocumentFolder) {}

  async run(
    { query, limit, documents = [] }: Arguments,
    { signal }: Pick<ToolContext, 'signal'>,
  ): Promise<string> {
    const hits = await searchAll(documents, query, signal);
    if (this.folder) hits.push(...(await inFolder(this.folder, query, signal)));
    // Scores are relative to the best hit of each search, so that a few documents of the request are not lost among
    // thousands of files.
    const found = excerptsOf(
      hits.sort((a, b) => b.score - a.score),
      limit,
    );
    if (found.length > 0) return renderDocuments(found);
    return documents.length > 0 || this.folder
      ? 'No document has any of these words.'
      : 'There are no documents to search.';
  }
}

async function searchAll(
  documents: NonNullable<Arguments['documents']>,
  query: string,
  signal: AbortSignal,
): Promise<Hit[]> {
  const index = new DocumentIndex();
  for (const document of documents) await index.add(document, { signal });
  return index.search(query);
}

/** @throws ToolError `DOCUMENTS_UNAVAILABLE`. */
async function inFolder(
  folder: DocumentFolder,
  query: string,
  signal: AbortSignal,
): Promise<Hit[]> {
  try {
    return await folder.search(query, signal);
  } catch (error) {
    if (error instanceof DocumentsUnavailable)
      throw new ToolError(error.code, error.message, error);
    throw error;
  }
}
