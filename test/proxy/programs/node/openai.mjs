/** OpenAI's package for Node: a completion, and research by the Responses API. Arguments: the base URL, a key. */
import OpenAI from 'openai';

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey });
const content = '[sandbox: answer "It is 3 degrees in Seoul."]';
const completion = await client.chat.completions.create({
  model: 'gpt-4.1',
  messages: [{ role: 'user', content }],
});
console.log(completion.choices[0].message.content);

const response = await client.responses.create({
  model: 'o3-deep-research',
  input: 'The history of kimchi',
});
console.log(response.output_text);
