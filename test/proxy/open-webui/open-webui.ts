import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForeignServer } from '../../support/processes/foreign-server';
import { freePort } from '../../support/processes/free-port';
import { until } from '../../support/until';
import { installPython } from '../python';

interface Message {
  role: string;
  content: string;
  done?: boolean;
  sources?: { source: { url: string } }[];
}

/** Open WebUI without its page: what the page asks of it is asked here. */
export class OpenWebUi {
  private token = '';

  private constructor(
    private readonly server: ForeignServer,
    private readonly folder: string,
  ) {}

  /** `settings`: those of a first start, besides what keeps it on this machine. */
  static async start(settings: Record<string, string>): Promise<OpenWebUi> {
    const requirements = join(__dirname, 'requirements.txt');
    const python = await installPython('open-webui', requirements, '--no-deps');
    const folder = mkdtempSync(join(tmpdir(), 'open-webui-'));
    const port = String(await freePort());
    const at = ['--host', '127.0.0.1', '--port', port];
    const server = await ForeignServer.start(
      [join(python, 'open-webui'), 'serve', ...at],
      `http://127.0.0.1:${port}/health`,
      {
        PATH: process.env.PATH,
        HOME: folder,
        DATA_DIR: folder,
        WEBUI_SECRET_KEY: 'the secret of a test, which is long',
        OFFLINE_MODE: 'true',
        ENABLE_OLLAMA_API: 'false',
        RAG_EMBEDDING_ENGINE: 'openai',
        ...settings,
      },
    );
    const program = new OpenWebUi(server, folder);
    const password = 'the password of Ann 1';
    const ann = { name: 'Ann', email: 'ann@test.example', password };
    const { token } = await program.call('POST', '/api/v1/auths/signup', ann);
    program.token = String(token);
    return program;
  }

  async models(): Promise<string[]> {
    const { data } = await this.call('GET', '/api/models');
    return (data as { id: string }[]).map(({ id }) => id);
  }

  /** The reply to the first message of a new chat, which has a title, tags and follow-up questions too. */
  async ask(model: string, content: string): Promise<Message> {
    const { chat_id } = await this.call('POST', '/api/chat/completions', {
      model,
      stream: true,
      messages: [{ role: 'user', content }],
      session_id: 'the-page',
      parent_id: null,
      id: 'reply',
      user_message: { id: 'question', role: 'user', content, models: [model] },
      background_tasks: {
        title_generation: true,
        tags_generation: true,
        follow_up_generation: true,
      },
    });
    const path = `/api/v1/chats/${String(chat_id)}`;
    const done = async (saw: <S>(seen: S) => S) => {
      const { chat } = saw(await this.call('GET', path));
      const { history } = chat as { history: { messages: object } };
      const messages: Message[] = Object.values(history.messages);
      return messages.find(({ role, done }) => role === 'assistant' && done);
    };
    return until(`the reply of ${model}`, done, 300_000);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async call(
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const reply = await fetch(this.server.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}
