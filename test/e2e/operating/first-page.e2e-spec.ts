import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../support/client';
import { Service } from '../../support/processes/service';

describe('the start page of a service on its sandbox', () => {
  let folder: string;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-first-'));
    const env = { RELAY_DATA_DIR: join(folder, 'data'), TMPDIR: folder };
    service = await Service.start('all-in-one', env);
    client = new Client(service.url);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('links every page that exists for programs, and no link is broken', async () => {
    const { headers, body } = await client.get('/');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('vary')).toBe('accept');
    expect(body.links).toEqual({
      docs: 'docs',
      openapi: 'openapi.json',
      tools: 'api/v1/tools',
      health: 'health/ready',
      queues: 'admin/queues',
    });
    for (const path of Object.values(body.links as Record<string, string>))
      expect((await client.get(`/${path}`)).status).toBe(200);
  });

  it('names the topics of the sandbox', async () => {
    const { body } = await client.get('/');
    expect(body.topics).toContain('Kimchi and the making of it together');
  });

  it('belongs to an API whose every documented example is accepted as it is', async () => {
    const { body: contract } = await client.get('/openapi.json');
    const sent: string[] = [];
    for (const [path, { post }] of Object.entries<Operations>(contract.paths)) {
      // A service without keys has no administrator.
      if (!post?.requestBody || path.startsWith('/admin/')) continue;
      const { examples } = post.requestBody.content['application/json'];
      expect([path, Object.keys(examples ?? {})]).not.toEqual([path, []]);
      for (const { value } of Object.values(examples!)) {
        const url = path.replace(/\{\w+\}/, 'chat_unknown');
        const { status } = await client.post(url, value);
        expect([url, status]).toEqual([
          url,
          url === path ? (status === 202 ? 202 : 200) : 404,
        ]);
        sent.push(url);
      }
    }
    expect(sent.length).toBeGreaterThan(6);
  });
});

interface Operations {
  post?: {
    requestBody?: {
      content: {
        'application/json': { examples?: Record<string, { value: object }> };
      };
    };
  };
}
