import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SondeConnectionError, SondeTimeoutError } from '../dist/index.js';
import { pollUntil } from '../dist/http/poll.js';

test('waiting fails early if the service does not respond', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const unanswered = () => {
    t.mock.timers.tick(300_000);
    return Promise.reject(new SondeTimeoutError('no answer'));
  };
  const waited = pollUntil(
    unanswered,
    () => true,
    () => 0,
  );
  await assert.rejects(
    waited,
    (error) =>
      error instanceof SondeConnectionError &&
      !(error instanceof SondeTimeoutError),
  );
});
