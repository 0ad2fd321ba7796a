import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import { Client, type Reply } from '../support/client';
import { Nginx } from '../support/processes/nginx';
import { Stand } from '../support/processes/stand';

/** Longer than nginx waits for a response that is silent. */
const RESEARCH_MS = 90_000;
/** What clients with a short time limit wait for each of their attempts. */
const ATTEMPT_MS = 10_000;

const KEY = 'key-of-alice';
const API_KEYS = `alice:${createHash('sha256').update(KEY).digest('hex')}`;
const MODEL = 'gpt-4o';
const RESEARCH = 'o3-deep-research';

if (!Nginx.isInstalled() && process.env.CI !== 'true')
  process.stderr.write('nginx is not installed: its tests are left out\n');
const suite =
  Nginx.isInstalled() || process.env.CI === 'true' ? describe : describe.skip;

/** Each asks about a subject of its own, so that what it bought can be told apart. */
type Ask = (subject: string) => Promise<string>;

suite(
  'research that takes longer than nginx waits, behind nginx as it is installed',
  () => {
    let stand: Stand;
    let nginx: Nginx;
    let client: Client;
    let openai: OpenAI;
    const answers = new Map<string, Promise<string>>();

    const calling = (subject: string): string =>
      `[sandbox: call deep_research {"research_question": "${subject}"}]`;
    const post = async (path: string, body: object, signal?: AbortSignal) => {
      const { status, body: reply } = await client.request('POST', path, {
        body,
        signal,
      });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(reply)}`);
      return JSON.stringify(reply);
    };
    /** A client that gives up after ten seconds and sends its request again, as often as it takes. */
    const again = async (path: string, body: object): Promise<string> => {
      for (;;)
        try {
          return await post(path, body, AbortSignal.timeout(ATTEMPT_MS));
        } catch (error) {
          if ((error as Error).name !== 'TimeoutError') throw error;
        }
    };
    const invoking = (research_question: string) => ({
      tool_name: 'deep_research',
      arguments: { research_question },
    });
    const settled = async (reply: Reply): Promise<string> =>
      JSON.stringify(
        (await client.settled(reply.headers.get('location')!)).body,
      );

    const DOORS: Record<string, Ask> = {
      'POST /api/v1/chat': (subject) =>
        post('/api/v1/chat', { message: calling(subject) }),
      'POST /api/v1/chat, repeated': (subject) =>
        again('/api/v1/chat', { message: calling(subject) }),
      'POST /api/v1/chat on record': async (subject) =>
        settled(
          await client.post('/api/v1/chat', {
            message: calling(subject),
            background: true,
          }),
        ),
      'POST /api/v1/tool-invocations': (subject) =>
        post('/api/v1/tool-invocations', invoking(subject)),
      'POST /api/v1/tool-invocations, repeated': (subject) =>
        again('/api/v1/tool-invocations', invoking(subject)),
      'GET …/wait': async (subject) =>
        settled(
          await client.research({
            research_question: subject,
            background: true,
          }),
        ),
      'chat.completions.create': async (subject) => {
        const messages = [{ role: 'user' as const, content: calling(subject) }];
        const { choices } = await openai.chat.completions.create({
          model: MODEL,
          messages,
        });
        return choices[0].message.content!;
      },
      'chat.completions.create, repeated': async (subject) => {
        const messages = [{ role: 'user', content: calling(subject) }];
        return again('/v1/chat/completions', { model: MODEL, messages });
      },
      'responses.create of a chat model': async (subject) =>
        (
          await openai.responses.create({
            model: MODEL,
            input: calling(subject),
          })
        ).output_text,
      'responses.create of a chat model, repeated': (subject) =>
        again('/v1/responses', { model: MODEL, input: calling(subject) }),
      'responses.create': async (subject) =>
        (
          await openai.responses.create({
            model: RESEARCH,
            input: subject,
            tools: [{ type: 'web_search' }],
          })
        ).output_text,
      'responses.create, repeated': (subject) =>
        again('/v1/responses', {
          model: RESEARCH,
          input: subject,
          tools: [{ type: 'web_search' }],
        }),
    };
    const names = Object.keys(DOORS);
    const subjectOf = (name: string): string =>
      `Kimchi at door ${names.indexOf(name)}.`;

    // All at once: each takes a minute and a half.
    beforeAll(async () => {
      stand = await Stand.start({
        researchMs: RESEARCH_MS,
        env: { RELAY_API_KEYS: API_KEYS },
      });
      nginx = await Nginx.before(stand.client().url);
      client = new Client(nginx.url).as(KEY);
      openai = new OpenAI({ baseURL: `${nginx.url}/v1`, apiKey: KEY });
      for (const name of names) {
        const answer = DOORS[name](subjectOf(name));
        answer.catch(() => undefined);
        answers.set(name, answer);
      }
    });
    afterAll(async () => {
      await nginx?.stop();
      await stand?.stop();
    });

    it.each(names)('is answered and bought once: %s', async (name) => {
      expect(await answers.get(name)).toMatch(/kimchi/i);
      const bought = (await stand.requests(1_000)).filter(
        ({ body }) =>
          body?.model === RESEARCH &&
          JSON.stringify(body).includes(subjectOf(name)),
      );
      expect(bought).toHaveLength(1);
    });
  },
);
