import type { ListedTopic } from './corpus/topics';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { sandboxUnderTest, webSearch } from './testing/sandbox-under-test';

describe('the topics of the sandbox', () => {
  let s: SandboxUnderTest;
  let topics: ListedTopic[];
  beforeAll(async () => {
    s = await sandboxUnderTest({ strictItems: false });
    ({ data: topics } = await s.get<{ data: ListedTopic[] }>('/'));
  });
  afterAll(() => s.close());

  const research = async (input: string) => {
    const { output_text, output } = await s.client.responses.create({
      model: 'o3-deep-research',
      input,
      tools: webSearch,
    });
    return { text: output_text, found: JSON.stringify(output) };
  };

  it('are listed in English and in Korean, at each address', async () => {
    expect(topics.length).toBeGreaterThan(10);
    for (const { title, question } of topics) {
      expect(title.en).toMatch(/[a-z]/i);
      expect(title.ko).toMatch(/[가-힣]/);
      expect(question.en).toContain(title.en);
      expect(question.ko).toContain(title.ko);
    }
    for (const path of ['/sandbox/topics', '/v1/sandbox/topics'])
      expect(await s.get(path)).toMatchObject({ data: topics });
  });

  it('are found by the questions that are listed with them', async () => {
    for (const { topic, question } of topics)
      for (const lang of ['en', 'ko'] as const) {
        const { found } = await research(question[lang]);
        expect(found).toContain(`"type":"url_citation","start_index"`);
        expect(found).toMatch(
          new RegExp(`sandbox\\.example/${lang}/${topic.slice(0, 5)}`),
        );
      }
  });

  it.each([
    ['en', 'Research the mating habits of axolotls', /sandbox reply/i],
    ['ko', '도롱뇽의 번식을 조사해 줘', /샌드박스 응답/],
  ] as const)(
    'are named in a reply about something else: %s',
    async (lang, question, note) => {
      const reports = [
        (await research(question)).text,
        (
          await s.client.responses.create({
            model: 'gpt-4o',
            input: question.replace(/Research |조사해 줘/, ''),
          })
        ).output_text,
      ];
      for (const text of reports) {
        expect(text).toMatch(note);
        for (const { title } of topics) expect(text).toContain(title[lang]);
      }
    },
  );
});
