/** LangChain for Node: an agent with a tool, and research by its model. Arguments: the base URL, a key. */
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const [baseURL, apiKey] = process.argv.slice(2);
const modelOf = (model) =>
  new ChatOpenAI({ model, apiKey, configuration: { baseURL } });
const getWeather = tool(({ city }) => `It is 3 degrees in ${city}.`, {
  name: 'get_weather',
  description: 'Reports the weather of a city.',
  schema: z.object({ city: z.string() }),
});
const agent = createAgent({ model: modelOf('gpt-4.1'), tools: [getWeather] });
const content = '[sandbox: call get_weather {"city": "Seoul"}]';
const { messages } = await agent.invoke({
  messages: [{ role: 'user', content }],
});
console.log(messages.at(-1).text);

const research = modelOf('sonde-research');
console.log((await research.invoke('The history of kimchi')).text);
