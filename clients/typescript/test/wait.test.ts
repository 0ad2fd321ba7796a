import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SondeConnectionError, SondeTimeoutError } from '../dist/index.js';
import { untilFinal } from '../dist/wait.js';

test('who waits where nobody answers gives up long before the time is over', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const unanswered = () => {
    t.mock.timers.tick(300_000);
    return Promise.reject(new SondeTimeoutError('no answer'));
  };
  const waited = untilFinal(
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
