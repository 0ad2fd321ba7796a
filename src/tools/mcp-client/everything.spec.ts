import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EVERYTHING,
  HttpEverything,
} from '../../../test/support/mcp/mcp-everything';
import {
  endpoint,
  McpStand,
  program,
} from '../../../test/support/mcp/mcp-stand';
import { parseArguments } from '../schemas/parse-arguments';

describe.each(['stdio', 'Streamable HTTP', 'HTTP and SSE'])(
  'the reference server over %s',
  (over) => {
    let http: HttpEverything | undefined;
    let stand: McpStand;

    beforeAll(async () => {
      http =
        over === 'stdio'
          ? undefined
          : await HttpEverything.start(
              over === 'HTTP and SSE' ? 'sse' : 'streamableHttp',
            );
      stand = await McpStand.start(
        http
          ? endpoint(http.url)
          : program(process.execPath, [EVERYTHING], { env: { SAID: 'yes' } }),
      );
    }, 180_000);

    afterAll(async () => {
      await stand.close();
      await http?.kill();
    });

    it('has its tools in the registry once the application has started', () => {
      expect(stand.servers.states()).toEqual([
        { name: 'here', connected: true, tools: stand.names.length },
      ]);
      expect(stand.names).toContain('here__get-structured-content');
      expect(stand.names).not.toContain('here__simulate-research-query');
      expect(stand.tool('here__get-sum')).toMatchObject({
        description: 'Returns the sum of two numbers',
        source: 'mcp:here',
        parameters: { type: 'object', required: ['a', 'b'] },
        offered: {
          name: 'here__get-sum',
          parameters: {
            required: ['a', 'b'],
            additionalProperties: false,
          },
        },
        annotations: { readOnlyHint: true, openWorldHint: false },
        returnDirect: false,
        onError: 'tell',
      });
    });

    it('checks arguments before the server sees them', () => {
      const sum = stand.tool('here__get-sum');
      expect(parseArguments(sum, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
      expect(() => parseArguments(sum, { a: 'one' })).toThrow('not valid');
    });

    it('returns texts, images and structured content as parts', async () => {
      expect(await stand.run('here__get-sum', { a: 1, b: 2 })).toEqual([
        { type: 'text', text: 'The sum of 1 and 2 is 3.' },
      ]);
      expect(await stand.run('here__get-tiny-image')).toEqual([
        { type: 'text', text: expect.stringContaining('image') },
        {
          type: 'image',
          image: { data: expect.any(String), mime_type: 'image/png' },
        },
        { type: 'text', text: expect.stringContaining('logo') },
      ]);
      const weather = 'here__get-structured-content';
      expect(await stand.run(weather, { location: 'Chicago' })).toEqual([
        {
          type: 'value',
          value: expect.objectContaining({
            conditions: 'Light rain / drizzle',
          }),
        },
      ]);
      expect(stand.tool(weather).returns).toMatchObject({ type: 'object' });
    });

    it('returns the failure of a tool in its own words', async () => {
      expect(await stand.run('here__get-sum', { a: 'one' })).toEqual({
        code: 'TOOL_ERROR',
        message: expect.stringContaining('expected number'),
      });
    });

    it('forwards progress', async () => {
      const steps: object[] = [];
      await stand.run(
        'here__trigger-long-running-operation',
        { duration: 0.1, steps: 2 },
        { progress: (step) => steps.push(step) },
      );
      // The last one may come with the result, after the listener has left.
      expect(steps[0]).toEqual({ detail: '1/2', progress: 1, total: 2 });
    });

    it('rejects a cancelled call with the reason, and makes the next one', async () => {
      const cancel = new AbortController();
      const running = stand.run(
        'here__trigger-long-running-operation',
        { duration: 600, steps: 6_000 },
        { signal: cancel.signal, progress: () => cancel.abort('enough') },
      );
      await expect(running).rejects.toBe('enough');
      expect(await stand.run('here__echo', { message: 'Hi' })).toEqual([
        { type: 'text', text: 'Echo: Hi' },
      ]);
    });

    if (over === 'stdio') {
      it('passes the configured variables to the program, and few others', async () => {
        const [part] = (await stand.run('here__get-env')) as { text: string }[];
        const env = JSON.parse(part.text) as Record<string, string>;
        expect(env).toMatchObject({ SAID: 'yes', PATH: process.env.PATH });
        expect(env).not.toHaveProperty('npm_lifecycle_event');
      });
    }
  },
);

describe('a server that exits during a call', () => {
  const long = { duration: 600, steps: 6_000 };
  const lost = {
    code: 'TOOL_INTERRUPTED',
    message: expect.stringContaining('unknown whether'),
  };

  it('interrupts the call, and makes the next one: stdio', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
    const file = join(folder, 'pid');
    const script = 'echo $$ > "$2"; exec "$0" "$1"';
    const args = ['-c', script, process.execPath, EVERYTHING, file];
    const stand = await McpStand.start(program('/bin/sh', args));
    try {
      const pid = Number(await readFile(file, 'utf8'));
      const running = stand.run('here__trigger-long-running-operation', long, {
        progress: () => process.kill(pid, 'SIGKILL'),
      });
      expect(await running).toEqual(lost);
      expect(await stand.run('here__echo', { message: 'Hi' })).toEqual([
        { type: 'text', text: 'Echo: Hi' },
      ]);
    } finally {
      await stand.close();
      await rm(folder, { recursive: true });
    }
  }, 180_000);

  it('interrupts the call, and makes the next one: HTTP', async () => {
    const server = await HttpEverything.start();
    const stand = await McpStand.start(endpoint(server.url));
    try {
      const running = stand.run('here__trigger-long-running-operation', long, {
        progress: () => void server.kill(),
      });
      expect(await running).toEqual(lost);
      const next = stand.run('here__echo', { message: 'Hi' });
      await server.start();
      expect(await next).toEqual([{ type: 'text', text: 'Echo: Hi' }]);
    } finally {
      await stand.close();
      await server.kill();
    }
  }, 180_000);

  it('interrupts the call, and makes the next one: HTTP and SSE', async () => {
    const server = await HttpEverything.start('sse');
    const stand = await McpStand.start(endpoint(server.url));
    try {
      const running = stand.run('here__trigger-long-running-operation', long, {
        progress: () => void server.kill(),
      });
      expect(await running).toEqual(lost);
      const next = stand.run('here__echo', { message: 'Hi' });
      await server.start();
      expect(await next).toEqual([{ type: 'text', text: 'Echo: Hi' }]);
    } finally {
      await stand.close();
      await server.kill();
    }
  }, 180_000);

  it('is called again if it lost the session and received no call', async () => {
    const server = await HttpEverything.start();
    const stand = await McpStand.start(endpoint(server.url));
    try {
      await server.kill();
      await server.start();
      const calls = ['a', 'b', 'c', 'd', 'e'];
      const results = await Promise.all(
        calls.map((message) => stand.run('here__echo', { message })),
      );
      expect(results).toEqual(
        calls.map((message) => [{ type: 'text', text: `Echo: ${message}` }]),
      );
    } finally {
      await stand.close();
      await server.kill();
    }
  }, 180_000);
});
