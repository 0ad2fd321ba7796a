/** AI SDK 7 by the provider of OpenAI: a text with a tool, and research. Arguments: the base URL, a key. */
import { createOpenAI } from 'ai-sdk-openai-7';
import { generateText, stepCountIs, tool } from 'ai-7';
import { z } from 'zod';

const [baseURL, apiKey] = process.argv.slice(2);
const openai = createOpenAI({ baseURL, apiKey });
const getWeather = tool({
  description: 'Reports the weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `It is 3 degrees in ${city}.`,
});
const chat = await generateText({
  model: openai('gpt-4.1'),
  prompt: '[sandbox: call get_weather {"city": "Seoul"}]',
  tools: { get_weather: getWeather },
  stopWhen: stepCountIs(3),
});
console.log(chat.text);

const research = await generateText({
  model: openai('o3-deep-research'),
  prompt: 'The history of kimchi',
});
console.log(research.text);
