import {
  AgentWorld,
  researchTask,
  TOWER,
  type WorldOptions,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import { notesIn } from '../../../../test/support/agent/scripted-roles';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import type { ErrorCode } from '../../../platform/errors';
import { research } from '../agent';
import type { ResearchTask } from '../agent.types';
import { ReportWriter } from './report-writer';

const never = new AbortController().signal;
const STATED = Object.values(TOWER).flatMap(({ text }) =>
  text.split(/(?<=\.)\s+/),
);
/** Four sections. The first that is written is the second; the answer is the last. */
const FOUR: WorldOptions['roles'] = {
  research_outline: (blocks) => {
    const ids = notesIn(blocks).map(({ id }) => id);
    const parts = [ids.slice(0, 1), ids.slice(1, 2), ids.slice(2, 4)];
    return {
      title: 'The tower',
      sections: [...parts, ids.slice(4)].map((note_ids, at) => ({
        title: `Matter ${'ABCD'[at]}`,
        note_ids,
      })),
    };
  },
};

type Complete = AgentWorld['ports']['complete']['complete'];

/** A run whose calls fail from the one on that `fails` names. */
async function run(
  fails: (role: string, nth: number) => ErrorCode | undefined,
  task: ResearchTask = researchTask(),
  roles: WorldOptions['roles'] = FOUR,
) {
  const world = new AgentWorld({ roles });
  const { complete } = world.ports;
  const answer: Complete = complete.complete.bind(complete);
  const asked: string[] = [];
  world.ports.complete = {
    complete: async (request) => {
      const role = request.schema!.name.replace('research_', '');
      asked.push(role);
      const nth = asked.filter((one) => one === role).length;
      const code = fails(role, nth);
      if (code) throw new UpstreamError(code, 'none');
      return answer(request);
    },
  };
  const journal = new MemoryJournal();
  const report = await research(task, journal, world.ports, never);
  return { world, journal, report, text: journal.text, asked };
}

describe(ReportWriter.name, () => {
  it('asks for a share of the words in each section, and for few in the answer', async () => {
    const { world } = await run(() => undefined);
    const words = world.prompts
      .filter(({ role }) => role === 'research_section')
      .map(({ user }) => {
        const [, block] = /<data name="section">\n(.*)\n<\/data>/.exec(user)!;
        const { index, words } = JSON.parse(block) as Record<string, unknown>;
        return [index, words];
      });
    expect(words).toEqual([
      [1, '90-200'],
      [2, '90-200'],
      [3, '90-200'],
      [0, '40-100'],
    ]);
  });

  it.each([
    ['with its title', undefined, ': Matter B'],
    [
      'without its title where a guardrail checks what is written',
      {
        hasSecret: () => false,
        section: (text: string) => Promise.resolve(text),
      },
      '',
    ],
  ])('names a section that is written %s', async (_, guard, shown) => {
    const world = new AgentWorld({ roles: FOUR });
    world.ports.guard = guard;
    const journal = new MemoryJournal();
    await research(researchTask(), journal, world.ports, never);
    const details = journal.events.map(
      ({ data }) => (data as { detail?: string }).detail,
    );
    expect(details).toContain(`Writing section 2${shown}`);
    expect(details).toContain('Writing section 1');
  });

  it.each(['check', 'off'] as const)(
    'says what the notes state where the writer names none of them (verify: %s)',
    async (verify) => {
      const { report, text } = await run(
        () => undefined,
        researchTask({}, { verify }),
        {
          research_section: () => ({
            sentences: [{ text: 'A tower.', note_ids: ['Lemon'] }],
          }),
        },
      );
      expect(report).toMatchObject({ status: 'completed' });
      expect(text).not.toContain('A tower.');
      expect(text).toContain('The tower is 330 metres high.');
      expect(report.citations!.length).toBeGreaterThan(0);
    },
  );

  it.each<ErrorCode>([
    'upstream_quota_exceeded',
    'upstream_unauthorized',
    'upstream_timeout',
    'upstream_overloaded',
    'model_not_found',
  ])(
    'gives the notes of what is not written, under their titles, after %s',
    async (code) => {
      const { report, text, asked } = await run((role, nth) =>
        role === 'section' && nth > 1 ? code : undefined,
      );
      expect(report).toMatchObject({
        status: 'incomplete',
        code,
        message: expect.stringMatching(
          /role "section": no answer \([a-z_]+\)\. Not written, with their notes instead: sections 1, 3, 4 of 4\./,
        ),
      });
      for (const sentence of STATED) expect(text).toContain(sentence);
      for (const title of ['## Matter B', '## Matter C', '## Matter D'])
        expect(text).toContain(title);
      // An endpoint that cannot be had is not asked for every section.
      const repeats = asked.filter((role) => role === 'section').length - 1;
      expect(repeats).toBeLessThanOrEqual(3);
      expect(report.evidence.sections).toHaveLength(4);
      expect(report.citations.length).toBeGreaterThanOrEqual(STATED.length);
    },
  );

  it.each<[ErrorCode, number]>([
    // Four smaller prompts as well.
    ['context_length_exceeded', 5],
    ['content_policy', 3],
    ['upstream_rejected', 3],
  ])(
    'writes the sections that follow one that is refused with %s',
    async (code, times) => {
      const { report, text } = await run((role, nth) =>
        role === 'section' && nth > 1 && nth <= 1 + times ? code : undefined,
      );
      expect(report).toMatchObject({
        status: 'incomplete',
        code,
        message: expect.stringContaining('sections 3 of 4.'),
      });
      for (const sentence of STATED) expect(text).toContain(sentence);
    },
  );

  it('ends incomplete by a limit that leaves sections unwritten, with their notes, and names them', async () => {
    const world = new AgentWorld({ roles: FOUR });
    const { complete } = world.ports;
    const answer: Complete = complete.complete.bind(complete);
    world.ports.complete = {
      complete: async (request) => {
        const reply = await answer(request);
        if (request.schema!.name !== 'research_section') return reply;
        // All that a standard run has.
        return { ...reply, usage: { input_tokens: 800_000, output_tokens: 0 } };
      },
    };
    const journal = new MemoryJournal();
    const report = await research(researchTask(), journal, world.ports, never);
    expect(report).toMatchObject({
      status: 'incomplete',
      code: 'research_limit_reached',
      limitsReached: ['max_tokens'],
      message: expect.stringMatching(
        /max_tokens.*Not written, with their notes instead: sections 1, 3, 4 of 4\./,
      ),
    });
    for (const sentence of STATED) expect(journal.text).toContain(sentence);
    expect(
      report.evidence.sections.map(({ unwritten = false }) => unwritten),
    ).toEqual([true, false, true, true]);
  });

  it('writes the answer last, from what the other sections say and rest on, and puts it first', async () => {
    const { world, text, report } = await run(
      () => undefined,
      researchTask({ deliverable_format: 'markdown_report' }),
    );
    const prompts = world.prompts.filter(
      ({ role }) => role === 'research_section',
    );
    const indexes = prompts.map(({ user }) =>
      Number(/<data name="section">\n\{"index":(\d)/.exec(user)![1]),
    );
    expect(indexes).toEqual([1, 2, 3, 0]);
    const { sections, notes } = report.evidence;
    const [answer, ...others] = sections;
    const { user } = prompts.at(-1)!;
    for (const { sentences } of others)
      for (const one of sentences) {
        expect(user).toContain(one.text);
        expect(user).toContain(`{"id":"${one.noteIds[0]}"`);
      }
    expect(notes.length).toBeGreaterThan(answer.sentences.length);
    expect(text).toMatch(/^# The tower\n\nThe tower is 330 metres high\./);
  });

  it('is whole where a limit leaves no time to better what is written', async () => {
    const roles = {
      ...FOUR,
      research_outline: (blocks: Parameters<typeof notesIn>[0]) => ({
        title: 'The tower',
        sections: [
          { title: '', note_ids: notesIn(blocks).map(({ id }) => id) },
        ],
      }),
      research_section: (blocks: Parameters<typeof notesIn>[0]) => ({
        sentences: notesIn(blocks).map(({ id, quote }) => ({
          text: quote.replace('330', '430'),
          note_ids: [id],
        })),
      }),
    };
    const world = new AgentWorld({ roles });
    const { complete } = world.ports;
    const answer: Complete = complete.complete.bind(complete);
    world.ports.complete = {
      complete: async (request) => {
        const reply = await answer(request);
        if (request.schema!.name !== 'research_section') return reply;
        return { ...reply, usage: { input_tokens: 800_000, output_tokens: 0 } };
      },
    };
    const journal = new MemoryJournal();
    const report = await research(researchTask(), journal, world.ports, never);
    expect(report).toMatchObject({
      status: 'completed',
      limitsReached: ['max_tokens'],
    });
  });

  it('gives all that was noted where nothing can be asked once reading is done', async () => {
    const { report, text } = await run((role) =>
      ['outline', 'section'].includes(role)
        ? 'upstream_quota_exceeded'
        : undefined,
    );
    expect(report).toMatchObject({
      status: 'incomplete',
      code: 'upstream_quota_exceeded',
    });
    for (const sentence of STATED) expect(text).toContain(sentence);
  });

  it('gives an outline in JSON with the notes of what is not written', async () => {
    const { report, text } = await run(
      (role, nth) =>
        role === 'section' && nth > 1 ? 'upstream_quota_exceeded' : undefined,
      researchTask({ deliverable_format: 'json_outline' }),
    );
    expect(report).toMatchObject({ status: 'incomplete' });
    const { sections } = JSON.parse(text) as { sections: object[] };
    expect(sections).toHaveLength(4);
  });

  it('gives the sections where the schema of the caller is not filled', async () => {
    const schema = {
      type: 'object',
      properties: { metres: { type: 'number' } },
      required: ['metres'],
      additionalProperties: false,
    };
    const { report, text } = await run(
      (role) => (role === 'object' ? 'upstream_quota_exceeded' : undefined),
      researchTask({
        text_format: { type: 'json_schema', name: 'answer', schema },
      }),
    );
    expect(report).toMatchObject({
      status: 'incomplete',
      code: 'upstream_quota_exceeded',
      message: expect.stringContaining('role "object"'),
    });
    expect(JSON.parse(text)).toMatchObject({ title: 'The tower' });
    expect(text).toContain('330 metres');
  });

  it('ends with its notes before the time of the run is over', async () => {
    const task = researchTask();
    const world = new AgentWorld({ roles: FOUR });
    const { complete } = world.ports;
    const answer: Complete = complete.complete.bind(complete);
    let sections = 0;
    let longest = -Infinity;
    world.ports.complete = {
      complete: (request) => {
        const { timeoutMs } = request;
        longest = Math.max(longest, world.now + timeoutMs - task.deadlineMs);
        if (request.schema!.name !== 'research_section') return answer(request);
        sections += 1;
        if (sections === 1) return answer(request);
        // As slow as it may be.
        world.now = task.deadlineMs - 60_000 + sections * timeoutMs;
        return Promise.reject(new UpstreamError('upstream_timeout', 'unknown'));
      },
    };
    world.ports.modelTimeoutMs = 20_000;
    const journal = new MemoryJournal();
    const report = await research(task, journal, world.ports, never);
    expect(report).toMatchObject({
      status: 'incomplete',
      code: 'research_timeout',
      message: expect.stringContaining('sections 1, 3, 4 of 4'),
    });
    for (const sentence of STATED) expect(journal.text).toContain(sentence);
    expect(longest).toBeLessThan(0);
  });
});
