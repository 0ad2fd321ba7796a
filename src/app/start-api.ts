import type { INestApplicationContext } from '@nestjs/common';
import { ApiModule } from './api.module';
import { ApiKeyGuard } from '../platform/auth/api-key.guard';
import type { AppConfig } from '../config/config';
import { serveConsoleFiles } from '../integrations/console/console-files';
import { ConfigError } from '../config/environment';
import { closeHttpApp } from '../platform/http/close-http-app';
import { createHttpApp } from '../platform/http/http-app';
import { buildOpenApiDocument } from './openapi-document';
import { setupSwaggerUi } from '../platform/http/openapi/openapi';
import { isRedisUnavailable } from '../platform/redis/redis-unavailable';

/** Any key suffices. */
const DOCS_ACCESS = { apiKey: 'always', scope: 'any' } as const;

export interface RunningApi {
  url: string;
  context: INestApplicationContext;
  close(): Promise<void>;
}

/** Creates the API and listens. */
export async function startApi(config: AppConfig): Promise<RunningApi> {
  const { host, port, docs, publicUrl } = config.http;
  const anonymous = !config.auth.required;
  const app = await createHttpApp(
    ApiModule.forRoot(config),
    [[isRedisUnavailable, 'queue_unavailable']],
    { ...config.http, anonymous },
  );
  await serveConsoleFiles(app.getHttpAdapter().getInstance());
  if (docs !== 'off')
    setupSwaggerUi(
      app,
      () => buildOpenApiDocument(app, publicUrl),
      async (request) => {
        if (docs !== 'key') return;
        await app.get(ApiKeyGuard).check(request, DOCS_ACCESS);
      },
    );
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new ConfigError(
          `RELAY_PORT is ${port}, which another process listens on. Example: ${port + 1}`,
        )
      : error;
  }
  return {
    url: await app.getUrl(),
    context: app,
    close: () => closeHttpApp(app),
  };
}
