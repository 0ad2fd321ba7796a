/** The client of MCP in OpenAI's Agents SDK for Node: chat and research as tools. Arguments: the base URL of /v1, a key. */
import { MCPServerStreamableHttp } from '@openai/agents';

const [url, key] = process.argv.slice(2);
const server = new MCPServerStreamableHttp({
  url: url.replace(/\/v1$/, '/mcp'),
  requestInit: { headers: { Authorization: `Bearer ${key}` } },
  timeout: 1_800_000,
});
await server.connect();
const message = '[sandbox: answer "It is 3 degrees in Seoul."]';
const question = { research_question: 'The history of kimchi' };
const chat = await server.callTool('chat', { message });
const report = await server.callTool('research', question);
for (const { text } of [...chat, ...report]) console.log(text);
await server.close();
