/** The command line of the MCP inspector: the tools chat and research. Arguments: the base URL of /v1, a key. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [url, key] = process.argv.slice(2);
const inspector = fileURLToPath(
  new URL('./node_modules/.bin/mcp-inspector', import.meta.url),
);

function call(tool, argument) {
  const server = [url.replace(/\/v1$/, '/mcp'), '--transport', 'http'];
  const headers = ['--header', `Authorization: Bearer ${key}`];
  const method = ['--method', 'tools/call', '--tool-name', tool];
  const options = [...server, ...headers, ...method, '--tool-arg', argument];
  const reply = execFileSync(
    process.execPath,
    [inspector, '--cli', ...options],
    { encoding: 'utf8' },
  );
  console.log(JSON.parse(reply).structuredContent.output_text);
}

call('chat', 'message=[sandbox: answer "It is 3 degrees in Seoul."]');
call('research', 'research_question=The history of kimchi');
