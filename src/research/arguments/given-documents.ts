import { z } from 'zod';

/** Of one document, a text as it is given or that of a file. */
export const MAX_DOCUMENT_CHARS = 1_000_000;
export const MAX_TITLE_CHARS = 1_000;
const MAX_FILES = 10;
/** Three megabytes in base64 behind the beginning of a data URL: the body of a request has no room for more. */
const MAX_FILE_DATA = 4_001_000;

const heading = z.string().min(1).max(MAX_TITLE_CHARS).optional();

/** Exactly one of `text` and `file_data`, in one object: generators of clients make nothing usable of a union. */
const givenDocument = z
  .strictObject({
    title: heading.describe(
      'Required with `text`. Of a file: its `filename`, or else the title that it has itself.',
    ),
    text: z.string().min(1).max(MAX_DOCUMENT_CHARS).optional(),
    file_data: z
      .string()
      .min(1)
      .max(MAX_FILE_DATA)
      .optional()
      .describe(
        'In place of `text`: a PDF or DOCX in base64, by itself or as a data URL. Its text is read at the submission; of the file nothing is kept.',
      ),
    filename: heading.describe('Of the file.'),
  })
  .superRefine(({ title, text, file_data, filename }, context) => {
    const refuse = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (file_data === undefined) {
      if (text === undefined)
        refuse('text', 'is required, unless there is file_data');
      if (title === undefined) refuse('title', 'is required with text');
      if (filename !== undefined) refuse('filename', 'is of file_data alone');
    } else if (text !== undefined)
      refuse('file_data', 'cannot stand beside text');
  });

export type GivenDocument = z.infer<typeof givenDocument>;

export const givenDocuments = z
  .array(givenDocument)
  .max(100)
  .refine((all) => all.filter(isFile).length <= MAX_FILES, {
    message: `can have at most ${MAX_FILES} files`,
  });

export type GivenFile = GivenDocument & { file_data: string };

export function isFile(document: GivenDocument): document is GivenFile {
  return document.file_data !== undefined;
}
