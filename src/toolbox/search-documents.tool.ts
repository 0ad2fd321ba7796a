import { z } from 'zod';
import { AppConfig } from '../config/config';
import { renderDocuments } from '../message/document';
import { documentsSchema } from '../message/document.schema';
import type { ToolContext } from '../tools/tool';
import { Tool } from '../tools/tool.decorator';
import { excerptsOf } from '../documents/document.excerpts';
import { DocumentFolder } from '../documents/document.folder';
import { DocumentIndex, type Hit } from '../documents/document.index';

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
    .describe('How many documents to return at the most.'),
  documents: documentsSchema
    .optional()
    .describe("The caller's own documents, searched as well."),
});

type Arguments = z.infer<typeof parameters>;

/** Finds documents of the request, and of the folder that the operator has set. */
@Tool({
  name: 'search_documents',
  description:
    'Searches the documents at hand and returns the passages that fit best, each with the title of its document. Use it ' +
    'before you answer from documents, and search again with other words if the passages do not tell.',
  parameters,
  hidden: ['documents'],
  annotations: {
    title: 'Search documents',
    readOnlyHint: true,
    idempotentHint: true,
  },
})
export class SearchDocumentsTool {
  private readonly folder?: DocumentFolder;

  constructor({ documents: { folder } }: AppConfig) {
    if (folder !== undefined) this.folder = new DocumentFolder(folder);
  }

  async run(
    { query, limit, documents = [] }: Arguments,
    { signal }: Pick<ToolContext, 'signal'>,
  ): Promise<string> {
    const hits = await searchAll(documents, query, signal);
    if (this.folder) hits.push(...(await this.folder.search(query, signal)));
    // Each search has a best hit of its own, so that a few supplied documents are not lost among thousands of files.
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
  for (const document of documents) await index.add(document, signal);
  return index.search(query);
}
