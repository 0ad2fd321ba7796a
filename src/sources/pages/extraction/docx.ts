import mammoth from 'mammoth';
import { type ExtractedText, ExtractionFault } from './extraction.types';
import { scanHtml } from './html/html-scan';
import { Zip } from './zip';

/** More XML than this does not fit the memory of a thread as a document. */
const MAX_INFLATED_BYTES = 20 * 1024 * 1024;
const MAIN_DOCUMENT = /^word\/document\d*\.xml$/;

type Input = Parameters<typeof mammoth.convertToHtml>[0];

/** HTML keeps the tables, whose cells would run together otherwise. Pictures are left out unread. */
export async function readDocx(bytes: Uint8Array): Promise<ExtractedText> {
  const zip = new Zip(bytes, MAX_INFLATED_BYTES);
  if (!zip.names.some((name) => MAIN_DOCUMENT.test(name)))
    throw new ExtractionFault('unsupported_type');
  // Given an open archive, the library inflates nothing by itself.
  const file = {
    exists: (name: string) => zip.has(name),
    read: (name: string, encoding?: BufferEncoding) =>
      Promise.resolve().then(() => {
        const contents = zip.read(name);
        return encoding ? contents.toString(encoding) : contents;
      }),
  };
  const { value } = await mammoth.convertToHtml({ file } as unknown as Input, {
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
  });
  const { text, headings } = scanHtml(value).visible;
  return { text, headings };
}
