/** The command line of the MCP inspector: the list of tools, and chat and research as tools. Arguments: the base URL of /v1, a key. */
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [url, key] = process.argv.slice(2);
const inspector = fileURLToPath(
  new URL('node_modules/.bin/mcp-inspector', import.meta.url),
);

function ask(method, ...args) {
  const server = [inspector, '--cli', url.replace(/\/v1$/, '/mcp')];
  const headers = ['--header', `Authorization: Bearer ${key}`];
  const command = [...server, ...headers, '--method', method, ...args];
  return JSON.parse(
    execFileSync(process.execPath, command, { encoding: 'utf8' }),
  );
}

function call(tool, ...args) {
  const named = ['--tool-name', tool, '--tool-arg', ...args];
  return ask('tools/call', ...named).structuredContent;
}

const listed = ask('tools/list').tools.map(({ name }) => name);
assert(listed.includes('research') && listed.includes('chat'), String(listed));

const message = 'message=[sandbox: answer "It is 3 degrees in Seoul."]';
console.log(call('chat', message).output_text);

// No option raises its limit of 60 s for a call.
let run = call('research_start', 'research_question=The history of kimchi');
const id = `invocation_id=${run.invocation_id}`;
while (run.status === 'queued' || run.status === 'running')
  run = call('research_status', id, 'wait_seconds=50');
console.log(call('research_result', id).output_text);
