/** AI SDK by the provider of compatible endpoints: a text, and research as a stream. Arguments: the base URL, a key. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';

const [baseURL, apiKey] = process.argv.slice(2);
const sonde = createOpenAICompatible({ name: 'sonde', baseURL, apiKey });
const chat = await generateText({
  model: sonde('gpt-4.1'),
  prompt: '[sandbox: answer "It is 3 degrees in Seoul."]',
});
console.log(chat.text);

const { textStream } = streamText({
  model: sonde('sonde-research'),
  prompt: 'The history of kimchi',
});
for await (const text of textStream) process.stdout.write(text);
