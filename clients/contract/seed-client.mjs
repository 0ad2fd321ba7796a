// A client of the first version of the API that uses nothing but what existed then: four fields of a chat, five of an
// invocation, the token in a header, and the text in the data of events. It must keep working.
// node seed-client.mjs URL chat MESSAGE | research QUESTION | submit QUESTION | stream QUESTION
// node seed-client.mjs URL get ID TOKEN | cancel ID TOKEN | read ID TOKEN
const [url, command, ...args] = process.argv.slice(2);
const INVOCATIONS = `${url}/api/v1/tool-invocations`;

async function chat(message) {
  const reply = await post(`${url}/api/v1/chat`, {
    message,
    auto_tool_call: true,
  });
  const { content, tool_called, tool_name, research_summary } = reply;
  return { content, tool_called, tool_name, research_summary };
}

/** `mode`: undefined, `background` or `stream`. */
async function invoke(research_question, mode) {
  const flags = mode === undefined ? {} : { [mode]: true };
  const body = {
    tool_name: 'deep_research',
    arguments: { research_question, ...flags },
  };
  return shown(await post(INVOCATIONS, body));
}

async function get(id, token) {
  const headers = { 'X-Invocation-Token': token };
  return shown(await answerOf(fetch(`${INVOCATIONS}/${id}`, { headers })));
}

async function cancel(id, token) {
  const headers = { 'X-Invocation-Token': token };
  return shown(await post(`${INVOCATIONS}/${id}/cancel`, undefined, headers));
}

/** Reads the text of a stream line by line, using only `data:` lines. */
async function read(id, token) {
  const reply = await fetch(`${INVOCATIONS}/${id}/events`, {
    headers: { 'X-Invocation-Token': token, Accept: 'text/event-stream' },
  });
  let text = '';
  let last = null;
  for (const line of (await reply.text()).split('\n')) {
    if (!line.startsWith('data: ')) continue;
    const { type, status, data } = JSON.parse(line.slice('data: '.length));
    if (type === 'output_text') text += data.text;
    last = { type, status, ...data };
  }
  return { text, last };
}

async function stream(question) {
  const { invocation_id, invocation_token } = await invoke(question, 'stream');
  const output = await read(invocation_id, invocation_token);
  return { ...output, record: await get(invocation_id, invocation_token) };
}

function shown(record) {
  const { invocation_id, invocation_token, upstream_response_id } = record;
  const { output_text, status } = record;
  return {
    invocation_id,
    invocation_token,
    upstream_response_id,
    output_text,
    status,
  };
}

function post(to, body, headers = {}) {
  return answerOf(
    fetch(to, {
      method: 'POST',
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    }),
  );
}

async function answerOf(sent) {
  const reply = await sent;
  if (!reply.ok) throw new Error(`HTTP ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

const commands = {
  chat,
  research: (question) => invoke(question),
  submit: (question) => invoke(question, 'background'),
  stream,
  get,
  cancel,
  read,
};
console.log(JSON.stringify(await commands[command](...args)));
