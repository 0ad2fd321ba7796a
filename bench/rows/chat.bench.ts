import { CHAT_ENGINES, type ChatEngine } from '../../src/config/config';
import { drive, type Load, type Speed } from '../load';
import { generations, interleave, median, medianRatio } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { type Figure, round } from '../table';

const PATH = '/api/v1/chat';
const MESSAGE = { message: 'Good morning!' };
const MODEL = 'gpt-4.1';
/** The same chat in the forms of OpenAI, by their paths. */
const FORMS = {
  '/v1/chat/completions': {
    model: MODEL,
    messages: [{ role: 'user', content: MESSAGE.message }],
  },
  '/v1/responses': { model: MODEL, input: MESSAGE.message },
};
type Form = keyof typeof FORMS;
const FORM_PATHS = Object.keys(FORMS) as Form[];
const CALLERS = 48;
/** The relay is so much faster that rounds of the same length need more requests. */
const COUNT = { bare: 12_000, sonde: 5_000, alone: 500 };
/** Until V8 has compiled what is hot: after two rounds that still took 15 % of the CPU time. */
const WARM_UPS = 4;
const ROUNDS = 3;

type Variant =
  | 'bare'
  | 'bare, one at a time'
  | 'no tools'
  | Form
  | ChatEngine
  | `${ChatEngine}, one at a time`;
type Speeds = Record<Variant, Speed[]>;

/** Chat without tool calls, by each engine, against a relay that forwards the bytes. */
export async function chat(): Promise<Figure[]> {
  const speeds = await generations(() => withTestbed(measure));
  const [costly, cheap] = ['agents', 'responses'] as const;
  return [
    cpuFigure('chat, no tools offered', speeds['no tools'], speeds.bare),
    ...CHAT_ENGINES.map((engine) =>
      cpuFigure(`chat by ${engine}`, speeds[engine], speeds.bare),
    ),
    {
      ...cpuFigure(
        `chat by ${costly} to ${cheap}`,
        speeds[costly],
        speeds[cheap],
      ),
      aim: '≥ 0.5',
    },
    ...FORM_PATHS.map((path) => ({
      ...cpuFigure(
        `chat by ${path} to ${PATH}`,
        speeds[path],
        speeds.responses,
      ),
      aim: '≥ 0.9',
    })),
    ...CHAT_ENGINES.map((engine) => latencyFigure(engine, speeds)),
  ];
}

async function measure(testbed: Testbed): Promise<Speeds> {
  const upstream = await testbed.add('bench/testbed/fixed-upstream');
  const env = { LITELLM_BASE_URL: upstream.url, RELAY_CHAT_MODELS: MODEL };
  const relay = await testbed.add('bench/testbed/bare-relay', env);
  const apis = await Promise.all(
    CHAT_ENGINES.map((engine) =>
      testbed.add('src/app/main', { ...env, RELAY_CHAT_ENGINES: engine }),
    ),
  );
  const load = (
    callers: number,
    count: number,
    body: object = MESSAGE,
  ): Load => ({
    path: PATH,
    body,
    callers,
    count,
  });
  const many = load(CALLERS, COUNT.sonde);
  const formed = (path: Form): Load => ({ ...many, path, body: FORMS[path] });
  const alone = load(1, COUNT.alone);
  const noTools = { ...MESSAGE, auto_tool_call: false };
  const [agents, responses, prompt] = apis;
  const variants = {
    bare: () => drive(relay, load(CALLERS, COUNT.bare)),
    'bare, one at a time': () => drive(relay, alone),
    'no tools': () => drive(responses, load(CALLERS, COUNT.sonde, noTools)),
    agents: () => drive(agents, many),
    responses: () => drive(responses, many),
    prompt: () => drive(prompt, many),
    '/v1/chat/completions': () =>
      drive(responses, formed('/v1/chat/completions')),
    '/v1/responses': () => drive(responses, formed('/v1/responses')),
    'agents, one at a time': () => drive(agents, alone),
    'responses, one at a time': () => drive(responses, alone),
    'prompt, one at a time': () => drive(prompt, alone),
  };
  await interleave(WARM_UPS, variants);
  return interleave(ROUNDS, variants);
}

function cpuFigure(what: string, ours: Speed[], bare: Speed[]): Figure {
  const [a, b] = [ours, bare].map((speeds) =>
    speeds.map(({ perCpuSecond }) => perCpuSecond),
  );
  return {
    what: `${what}: replies per CPU-second`,
    sonde: round(median(a)),
    bare: round(median(b)),
    ratio: medianRatio(a, b).toFixed(2),
    aim: '≥ 0.35',
  };
}

function latencyFigure(engine: ChatEngine, speeds: Speeds): Figure {
  const [a, b] = [engine, 'bare' as const].map((name) =>
    speeds[`${name}, one at a time`].map(({ perSecond }) => 1000 / perSecond),
  );
  return {
    what: `chat by ${engine}, one at a time: ms`,
    sonde: round(median(a)),
    bare: round(median(b)),
    ratio: medianRatio(a, b).toFixed(2),
  };
}
