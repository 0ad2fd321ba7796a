import type { AppError } from '../platform/errors';
import type { ChatRequest } from './dto/chat.dto';
import { type ChatMode, readChatMode } from './chat-mode';

const KEY = { 'idempotency-key': 'k1' };
const ASYNC = { prefer: 'respond-async' };

describe(readChatMode.name, () => {
  it.each<[ChatRequest, Record<string, string>, ChatMode | undefined]>([
    [{}, {}, undefined],
    [{ stream: true }, {}, undefined],
    [{}, { prefer: 'wait=5' }, undefined],
    [{ background: true }, {}, { background: true, waitMs: Infinity }],
    [{}, ASYNC, { background: true, waitMs: Infinity }],
    [{}, KEY, { background: false, key: 'k1', waitMs: Infinity }],
    [
      {},
      { ...KEY, prefer: 'wait=5' },
      { background: false, key: 'k1', waitMs: 5_000 },
    ],
    [
      { background: true },
      { ...KEY, prefer: 'wait=0' },
      { background: true, key: 'k1', waitMs: 0 },
    ],
  ])('reads %j with %j as %j', (request, headers, mode) => {
    expect(readChatMode(request, headers)).toEqual(mode);
  });

  it.each<[ChatRequest, Record<string, string>, string[]]>([
    [{ stream: true, background: true }, {}, ['background', 'stream']],
    [{ stream: true }, ASYNC, ['stream']],
    [{ stream: true }, KEY, ['stream']],
    [{}, { 'idempotency-key': '' }, ['Idempotency-Key']],
    [{}, { 'idempotency-key': 'ü' }, ['Idempotency-Key']],
  ])('refuses %j with %j: %j', (request, headers, paths) => {
    try {
      readChatMode(request, headers);
    } catch (error) {
      const { code, errors } = error as AppError;
      expect(code).toBe('validation_failed');
      expect(errors!.map(({ path }) => path)).toEqual(paths);
      return;
    }
    throw new Error('It was taken.');
  });
});
