import {
  AgentWorld,
  researchTask,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import {
  faultyIn,
  honestRoles,
  judgedIn,
  notesIn,
  type Roles,
} from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';
import type { ResearchTask } from '../agent.types';
import { verified } from './verify-stage';

const never = new AbortController().signal;
const REWORDED = 'One reads that the tower has a height of 330 metres.';
const FALSE = 'One reads that the tower has no height of 330 metres.';

/** A report whose first sentence is this; the others stand on their pages. */
const saying = (text: string): Roles => ({
  research_section: (blocks) => {
    const notes = notesIn(blocks);
    const at = notes.findIndex(({ quote }) => quote.includes('330'));
    return {
      sentences: notes.map(({ id, quote }, index) => ({
        text: index === at ? text : quote,
        note_ids: [id],
      })),
    };
  },
});
const answering = (more: object, faultsOnly?: 'again'): Roles => ({
  research_verify: (blocks) => ({
    answers: judgedIn(blocks).map(({ id }) => ({
      id,
      words: ['330 metres'],
      verdict: 'supported',
      ...(faultsOnly && blocks.faults ? {} : more),
    })),
  }),
});

async function run(roles: Roles, more: Partial<ResearchTask> = {}) {
  const world = new AgentWorld({ roles });
  const task = researchTask({}, { verify: 'check', ...more });
  const journal = new MemoryJournal();
  const report = await research(task, journal, world.ports, never);
  const sentences = report.evidence.sections.flatMap((one) => one.sentences);
  const asked = (role: string) =>
    world.prompts.filter((one) => one.role === `research_${role}`);
  return { report, sentences, asked, text: journal.text, journal };
}

describe(verified.name, () => {
  it.each([
    ['supported', 'supported'],
    ['follows', 'judgement'],
    ['needs_context', 'partly_supported'],
  ])(
    'lets %s hold as %s where its words stand in the quotes',
    async (verdict, kept) => {
      const { sentences, asked, report } = await run({
        ...saying(REWORDED),
        ...answering({ verdict }),
      });
      expect(report.status).toBe('completed');
      expect(sentences.find(({ text }) => text === REWORDED)).toMatchObject({
        verdict: kept,
        checkedBy: 'model',
      });
      expect(asked('verify')).toHaveLength(1);
      expect(asked('rewrite')).toHaveLength(0);
    },
  );

  it('asks about nothing that a comparison decides', async () => {
    const { sentences, asked } = await run({});
    expect(asked('verify')).toHaveLength(0);
    for (const one of sentences)
      expect(one).toMatchObject({
        verdict: 'quote_matched',
        checkedBy: 'text',
      });
  });

  it('asks with the headings and the sentence before, and never with the claim of a note', async () => {
    const claimed: Roles = {
      research_notes: (blocks) => {
        const { notes } = honestRoles.research_notes(blocks) as {
          notes: object[];
        };
        return {
          notes: notes.map((one) => ({
            ...one,
            claim: 'A claim of its reader.',
          })),
        };
      },
    };
    const { asked } = await run({
      ...claimed,
      ...saying(REWORDED),
      ...answering({}),
    });
    const [{ user }] = asked('verify');
    expect(user).toMatch(
      /"from":"[a-z.]+\/[^"?#]*","under":"Height of the tower"/,
    );
    expect(user).not.toContain('A claim of its reader.');
  });

  it.each(['fact', 'judgement'])(
    'shows the question where a sentence is a judgement alone: of a %s',
    async (kind) => {
      const judging: Roles = {
        research_section: (blocks) => ({
          sentences: notesIn(blocks).map(({ id }) => ({
            text: REWORDED,
            note_ids: [id],
            kind,
          })),
        }),
      };
      const { asked } = await run({ ...judging, ...answering({}) });
      for (const { user } of asked('verify'))
        expect(user.includes('<data name="question">')).toBe(
          kind === 'judgement',
        );
      expect(asked('verify').length).toBeGreaterThan(0);
    },
  );

  it.each<[string, Roles]>([
    ['fails', { research_verify: () => 'Certainly!' }],
    ['leaves it out', { research_verify: () => ({ answers: [] }) }],
    ['shows words that stand nowhere', answering({ words: ['331 metres'] })],
    [
      'computes wrongly',
      answering({ verdict: 'arithmetic', expression: '330 + 1' }),
    ],
    [
      'names nothing that differs',
      answering({ verdict: 'contradicted', words: [], differs: 'a goat' }),
    ],
  ])(
    'leaves a sentence unchecked, and enforced reports keep it, where its judge %s',
    async (_, roles) => {
      const { sentences, text, report } = await run(
        { ...saying(REWORDED), ...roles },
        { verify: 'enforce' },
      );
      expect(report.status).toBe('completed');
      expect(text).toContain(REWORDED);
      const one = sentences.find((sentence) => sentence.text === REWORDED);
      expect(one?.verdict).toBe('unchecked');
      expect(one).not.toHaveProperty('checkedBy');
    },
  );

  it('asks once more about what it could not look up', async () => {
    const { sentences, asked } = await run({
      ...saying(REWORDED),
      ...answering({ words: ['331 metres'] }, 'again'),
    });
    expect(asked('verify')).toHaveLength(2);
    expect(asked('verify')[1].user).toContain('<data name="faults">');
    expect(sentences.find(({ text }) => text === REWORDED)?.verdict).toBe(
      'supported',
    );
  });

  it.each(['rules', 'off'] as const)(
    'asks no judge with `%s`',
    async (verify) => {
      const { sentences, asked } = await run(saying(REWORDED), { verify });
      expect(asked('verify')).toHaveLength(0);
      const { verdict } = sentences.find(({ text }) => text === REWORDED)!;
      expect(verdict).toBe(verify === 'rules' ? 'unchecked' : undefined);
    },
  );

  it('has a faulty sentence alone written again, with what differs, and judges it again', async () => {
    const { sentences, asked, text } = await run({
      ...saying(FALSE),
      ...answering({ verdict: 'contradicted', differs: 'no height' }),
    });
    const [{ user }] = asked('rewrite');
    const faulty = /<data name="faulty">\n([^]*?)\n<\/data>/.exec(user)![1];
    expect(faultyIn({ faulty })).toMatchObject([
      { text: FALSE, found: 'contradicted', detail: 'no height' },
    ]);
    expect(text).not.toContain(FALSE);
    expect(sentences.every(({ verdict }) => verdict === 'quote_matched')).toBe(
      true,
    );
  });

  it('says of a faulty sentence that it judges', async () => {
    const { asked } = await run({
      research_section: (blocks) => {
        const note_ids = notesIn(blocks).map(({ id }) => id);
        const one = { text: FALSE, note_ids, kind: 'judgement' };
        return { blocks: [{ type: 'paragraph', sentences: [one] }] };
      },
      ...answering({ verdict: 'contradicted', differs: 'no height' }),
    });
    const [{ user }] = asked('rewrite');
    expect(user).toContain(`"text":"${FALSE}","kind":"judgement"`);
  });

  it.each([
    ['check', true],
    ['enforce', false],
  ] as const)(
    'with `%s` keeps what is still faulty: %s',
    async (verify, isKept) => {
      const { sentences, text } = await run(
        {
          ...saying(FALSE),
          ...answering({ verdict: 'contradicted', differs: 'no height' }),
          research_rewrite: (blocks) => ({
            sentences: faultyIn(blocks).map(({ id, note_ids }) => ({
              id,
              text: FALSE.replace('One reads', 'It is said'),
              note_ids,
            })),
          }),
        },
        { verify },
      );
      expect(text.includes(FALSE)).toBe(isKept);
      expect(sentences.some(({ verdict }) => verdict === 'contradicted')).toBe(
        isKept,
      );
    },
  );

  it('asks in several calls about more sentences than one call may have', async () => {
    const { sentences, asked } = await run({
      research_section: (blocks) => {
        const { id } = notesIn(blocks)[0];
        const numbers = Array.from({ length: 30 }, (_, at) => at);
        return {
          sentences: numbers.map((at) => ({
            text: `Sentence ${String.fromCharCode(97 + at)} says it otherwise.`,
            note_ids: [id],
          })),
        };
      },
      research_verify: (blocks) => ({
        answers: judgedIn(blocks).map(({ id, passages: [{ quotes }] }) => ({
          id,
          words: quotes,
          verdict: 'supported',
        })),
      }),
    });
    // Two sections of thirty sentences.
    expect(asked('verify')).toHaveLength(4);
    expect(sentences.every(({ verdict }) => verdict === 'supported')).toBe(
      true,
    );
  });
});
