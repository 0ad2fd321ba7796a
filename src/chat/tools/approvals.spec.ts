import { AppError } from '../../errors';
import {
  awaitedCalls,
  type Decision,
  inWords,
  refusalOf,
  saidIn,
  withSaid,
  writeDecisions,
} from './approvals';

const AWAITED = {
  approvals: [
    { call_id: 'a', tool_name: 'erase', arguments: { path: '/' } },
    { call_id: 'b', tool_name: 'send', arguments: null },
  ],
  questions: [{ call_id: 'q', question: 'Which one?' }],
};
const APPROVED: Decision = { approve: true };

describe('what a human decides', () => {
  it.each<[string, Decision | undefined, string | undefined]>([
    ['nothing', undefined, 'The user did not approve this call.'],
    ['an answer', { answer: 'Yes!' }, 'The user did not approve this call.'],
    ['yes', APPROVED, undefined],
    ['yes, and why', { approve: true, reason: 'Fine.' }, undefined],
    ['no', { approve: false }, 'The user did not approve this call.'],
    [
      'no, and why',
      { approve: false, reason: 'Too late.' },
      'The user did not approve this call. The reason: Too late.',
    ],
  ])('refuses a call unless it was approved: %s', (_, decision, refusal) => {
    expect(refusalOf(decision)).toBe(refusal);
  });

  it.each<[string, [string, Decision][], string[]]>([
    [
      'all of them',
      [
        ['a', APPROVED],
        ['b', { approve: false }],
      ],
      [],
    ],
    [
      'an unknown call',
      [
        ['a', APPROVED],
        ['x', APPROVED],
      ],
      ['1'],
    ],
    ['a question that is approved', [['q', APPROVED]], ['0']],
    ['a call that is answered', [['a', { answer: 'Yes.' }]], ['0']],
    ['a question that is answered', [['q', { answer: 'Yes.' }]], []],
    [
      'the same twice',
      [
        ['a', APPROVED],
        ['a', APPROVED],
      ],
      ['1'],
    ],
    [
      'several faults',
      [
        ['x', APPROVED],
        ['a', APPROVED],
        ['q', APPROVED],
      ],
      ['0', '2'],
    ],
  ])('fits what is awaited, or names every fault: %s', (_, given, faults) => {
    const decisions = given.map(([call_id, decision]) => ({
      call_id,
      decision,
    }));
    const write = () => writeDecisions(AWAITED, decisions, 'approvals');
    if (faults.length === 0) {
      const written = given.map(([id, one]) => [id, JSON.stringify(one)]);
      expect(write()).toEqual(Object.fromEntries(written));
      return;
    }
    try {
      write();
    } catch (error) {
      const { code, errors } = error as AppError;
      expect(code).toBe('validation_failed');
      expect(errors!.map(({ path }) => path)).toEqual(
        faults.map((at) => `approvals.${at}.call_id`),
      );
      return;
    }
    throw new Error('It was taken.');
  });

  it('is asked for in words, and awaited by call', () => {
    expect(inWords(AWAITED)).toBe(
      'Which one?\n\nThis needs your approval: erase, send.',
    );
    expect(awaitedCalls(AWAITED)).toEqual(['a', 'b', 'q']);
  });

  it('is asked for in other words without other ids', () => {
    const said = saidIn(AWAITED);
    expect(JSON.stringify(said)).not.toMatch(/call_id|erase/);
    expect(withSaid(AWAITED, said)).toEqual(AWAITED);
    said.questions[0].question = 'Which [hidden]?';
    expect(withSaid(AWAITED, said).questions).toEqual([
      { call_id: 'q', question: 'Which [hidden]?' },
    ]);
    expect(saidIn(null)).toEqual({ approvals: [], questions: [] });
  });
});
