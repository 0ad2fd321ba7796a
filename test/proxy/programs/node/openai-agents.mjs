/** OpenAI's Agents SDK for Node: an agent with a tool, and one that researches. Arguments: the base URL, a key. */
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';

[process.env.OPENAI_BASE_URL, process.env.OPENAI_API_KEY] =
  process.argv.slice(2);
setTracingDisabled(true);

const getWeather = tool({
  name: 'get_weather',
  description: 'Reports the weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `It is 3 degrees in ${city}.`,
});
const agent = new Agent({
  name: 'Weather',
  instructions: 'Be brief.',
  model: 'gpt-4.1',
  tools: [getWeather],
});
const question = '[sandbox: call get_weather {"city": "Seoul"}]';
console.log((await run(agent, question)).finalOutput);

const researcher = new Agent({ name: 'Researcher', model: 'o3-deep-research' });
console.log((await run(researcher, 'The history of kimchi')).finalOutput);
