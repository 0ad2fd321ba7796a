/** README's research with the client that openapi-generator makes for TypeScript. Arguments: the base URL, a key. */
import {
  ChatApi,
  Configuration,
  ToolInvocationsApi,
} from './typescript-fetch/index';

const [url, key] = process.argv.slice(2);
const configuration = new Configuration({ basePath: url, accessToken: key });
const runs = new ToolInvocationsApi(configuration);

async function main() {
  let run = await runs.toolInvocationsInvoke({
    invokeToolDto: {
      toolName: 'deep_research',
      arguments: { research_question: '짜장면의 역사', background: true },
    },
  });
  while (run.status === 'queued' || run.status === 'running')
    run = await runs.invocationWait({ id: run.invocationId });
  console.log(run.status);
  console.log(run.outputText?.split('\n')[0]);
  const chatRequestDto = { message: 'Good morning' };
  const chats = new ChatApi(configuration);
  console.log((await chats.chatReply({ chatRequestDto })).content);
}

void main();
