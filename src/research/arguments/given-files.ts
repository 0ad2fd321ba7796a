import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import type { FieldFault } from '../../platform/field-error';
import type { Document } from '../../platform/message/document';
import { KeyedSemaphore } from '../../platform/semaphore';
import {
  DocumentTexts,
  FILE_FAULTS,
  isFileFault,
} from '../../sources/pages/document-texts';
import { containerOf, DOCX } from '../../sources/pages/extraction/media-type';
import {
  type GivenDocument,
  type GivenFile,
  isFile,
  MAX_DOCUMENT_CHARS,
  MAX_TITLE_CHARS,
} from './given-documents';

/** Of the texts of all files of a request. */
const MAX_CHARS_OF_FILES = 2_000_000;
/** Of all files of a request, waits for those of others included. A proxy that hears nothing for a minute gives up. */
const READ_MS = 40_000;
/** Requests of one process that are read or wait for it. Each holds its body. */
const MAX_REQUESTS = 20;

const inWords = (count: number): string => count.toLocaleString('en');
const TOO_LONG = `is longer than 500 pages or ${inWords(MAX_DOCUMENT_CHARS)} characters`;
const TOO_MUCH = `has more text than files may have together: ${inWords(MAX_CHARS_OF_FILES)} characters`;

/** `data:application/pdf;base64,…`; without its beginning, base64 as it is. */
const DATA_URL = /^data:([^,;]{0,200})(?:;[^,;]{0,200}){0,4};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads the files among the documents of a request, once: its record has texts alone. */
@Injectable()
export class GivenFiles {
  /** The files of one key wait for each other, not those of others for them. */
  private readonly turns = new KeyedSemaphore(1);
  private requests = 0;

  constructor(private readonly texts: DocumentTexts) {}

  /** @throws AppError `validation_failed` that names the file; `server_busy`. */
  async inText(
    documents: readonly GivenDocument[],
    { account, name: key = '' }: CallerIdentity,
  ): Promise<Document[]> {
    if (!documents.some(isFile)) return documents as Document[];
    if (this.requests === MAX_REQUESTS) throw busy();
    this.requests += 1;
    const signal = AbortSignal.timeout(READ_MS);
    try {
      return await this.turns.use(account ?? `@${key}`, signal, () =>
        this.readAll(documents, signal),
      );
    } catch (error) {
      throw signal.aborted && error === signal.reason ? busy() : error;
    } finally {
      this.requests -= 1;
    }
  }

  private async readAll(
    documents: readonly GivenDocument[],
    signal: AbortSignal,
  ): Promise<Document[]> {
    const read: Document[] = [];
    let left = MAX_CHARS_OF_FILES;
    for (const [at, one] of documents.entries()) {
      if (!isFile(one)) {
        read.push(one as Document);
        continue;
      }
      const document = await this.read(one, at, signal);
      left -= document.text.length;
      if (left < 0) throw unreadable(at, TOO_MUCH, 'files_too_long');
      read.push(document);
    }
    return read;
  }

  private async read(
    { title, filename, file_data }: GivenFile,
    at: number,
    signal: AbortSignal,
  ): Promise<Document> {
    const { bytes, type } = decoded(file_data, at);
    // Only its name says that a file which looks like one of an old format is a DOCX with a password.
    const isDocx = type === DOCX || /\.docx$/i.test(filename ?? '');
    const found =
      containerOf(bytes) === 'text'
        ? { fault: 'unsupported_type' as const }
        : await this.texts.read(bytes, isDocx ? DOCX : '', signal);
    if ('refresh' in found || 'fault' in found) {
      const fault = 'fault' in found ? found.fault : 'empty';
      // The threads have been ended.
      if (fault === 'timeout') throw new AppError('shutting_down');
      if (fault === 'unsupported_type')
        throw unreadable(
          at,
          'is neither a PDF nor a DOCX',
          'file_unsupported_type',
        );
      const known = isFileFault(fault) ? fault : 'unreadable';
      throw unreadable(at, FILE_FAULTS[known], `file_${known}`);
    }
    // Nothing is left out unsaid: as with a text that is too long, the caller chooses what matters.
    if (found.isCut || found.text.length > MAX_DOCUMENT_CHARS)
      throw unreadable(at, TOO_LONG, 'file_too_long');
    const shown = title ?? filename ?? found.title;
    return { title: shown.slice(0, MAX_TITLE_CHARS), text: found.text };
  }
}

function decoded(data: string, at: number) {
  const [head = '', type = ''] = DATA_URL.exec(data) ?? [];
  const base64 = data.slice(head.length);
  if (!BASE64.test(base64))
    throw unreadable(
      at,
      'must be base64, or a data URL with base64',
      'wrong_format',
    );
  // A buffer of its own: it is given away.
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return { bytes, type: type.toLowerCase() };
}

function unreadable(at: number, message: string, code: FieldFault): AppError {
  const path = `arguments.documents.${at}.file_data`;
  return new AppError('validation_failed', 'A document cannot be read.', {
    errors: [{ path, message, code }],
  });
}

function busy(): AppError {
  return new AppError(
    'server_busy',
    'The files of the documents could not be read in time.',
    { retryAfterSeconds: 10 },
  );
}
