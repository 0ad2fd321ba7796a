import { AppError } from '../../platform/errors';
import {
  type Decision,
  describeAction,
  modelTextsOf,
  pendingCallIds,
  refusalOf,
  withModelTexts,
  writeDecisions,
} from './approvals';

const ACTION = {
  approvals: [
    { call_id: 'a', tool_name: 'erase', arguments: { path: '/' } },
    { call_id: 'b', tool_name: 'send', arguments: null },
  ],
  questions: [{ call_id: 'q', question: 'Which one?' }],
};
const APPROVED: Decision = { approve: true };

describe('decisions of the user', () => {
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
  ])('refuse a call unless it is approved: %s', (_, decision, refusal) => {
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
  ])(
    'match the required action, or every fault is named: %s',
    (_, given, faults) => {
      const decisions = given.map(([call_id, decision]) => ({
        call_id,
        decision,
      }));
      const write = () => writeDecisions(ACTION, decisions, 'approvals');
      if (faults.length === 0) {
        const written = given.map(([id, decision]) => [
          id,
          JSON.stringify(decision),
        ]);
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
      throw new Error('It was accepted.');
    },
  );

  it('are requested as text, and identified by call', () => {
    expect(describeAction(ACTION)).toBe(
      'Which one?\n\nThis needs your approval: erase, send.',
    );
    expect(pendingCallIds(ACTION)).toEqual(['a', 'b', 'q']);
  });

  it('are requested with the texts of guardrails, but the same ids', () => {
    const texts = modelTextsOf(ACTION);
    expect(JSON.stringify(texts)).not.toMatch(/call_id|erase/);
    expect(withModelTexts(ACTION, texts)).toEqual(ACTION);
    texts.questions[0].question = 'Which [hidden]?';
    expect(withModelTexts(ACTION, texts).questions).toEqual([
      { call_id: 'q', question: 'Which [hidden]?' },
    ]);
    expect(modelTextsOf(null)).toEqual({ approvals: [], questions: [] });
  });
});
