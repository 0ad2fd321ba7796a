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

  it('links every page that exists, and no link is broken', async () => {
    const { status, headers, body } = await client.get('/', {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = body as string;
    const paths = [...html.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    expect(paths).toEqual([
      'docs',
      'openapi.json',
      'api/v1/tools',
      'health/ready',
      'admin/queues',
    ]);
    for (const path of paths)
      expect((await client.get(`/${path}`)).status).toBe(200);
  });

  it('loads and runs nothing, and cannot be framed', async () => {
    const { headers, body } = await client.get('/');
    expect(body).not.toMatch(
      /<script|<link|<img|\bon\w+=|https?:\/\/(?!127\.0\.0\.1)/,
    );
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; .*frame-ancestors 'none'$/,
    );
  });

  it('names the sandbox as the upstream, with its models', async () => {
    const { body } = await client.get('/');
    expect(body).toContain('The built-in sandbox is the upstream');
    expect(body).toContain('Kimchi and the making of it together');
  });

  it('is JSON where the request accepts JSON', async () => {
    const { headers, body } = await client.get('/', {
      accept: 'application/json',
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('vary')).toBe('accept, host');
    expect(body.topics).toContain('Kimchi and the making of it together');
    expect(body.links).toContainEqual(
      expect.objectContaining({ path: 'health/ready' }),
    );
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
