import type { INestApplication } from '@nestjs/common';
import {
  DocumentBuilder,
  type OpenAPIObject,
  SwaggerModule,
} from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectVersion } from '../../../config/project-version';
import { LIMITS } from '../../../config/settings/key-limits';
import { AppError, ERRORS } from '../../errors';
import { FIELD_FAULTS } from '../../field-error';
import { SIGN_IN_FILES, SIGN_IN_PAGE, SIGN_IN_POLICY } from './docs-sign-in';
import { shaped } from './openapi-shape';

type Schema = NonNullable<
  NonNullable<OpenAPIObject['components']>['schemas']
>[string];

const PROBLEM: Schema = {
  type: 'object',
  description: 'Every error, in the format of RFC 9457.',
  required: [
    'type',
    'title',
    'status',
    'detail',
    'code',
    'errors',
    'request_id',
  ],
  properties: {
    type: { type: 'string', example: 'urn:sonde:error:validation_failed' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    errors: {
      type: 'array',
      description: 'Every invalid field of the input, by its dotted path.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string' },
          message: { type: 'string' },
          code: {
            type: 'string',
            enum: [...FIELD_FAULTS],
            description:
              'What is wrong, for programs that say it in words of their own. Absent for faults that no other field has.',
          },
          bound: {
            type: 'number',
            description: 'The limit that the value is over or under.',
          },
        },
      },
    },
    request_id: { type: 'string' },
    limit: {
      type: 'string',
      enum: [...LIMITS, 'budget.day_usd', 'budget.month_usd'],
      description: 'The limit of the API key that was reached.',
    },
    'violated-policies': { type: 'array', items: { type: 'string' } },
    resets_at: {
      type: 'string',
      format: 'date-time',
      description: 'When a budget begins anew.',
    },
  },
};

/** In the order in which a page shows them: what callers need first. */
const TAGS = {
  'tool invocations': 'Research and other tools: submit, follow, read, end.',
  chat: 'Chats that call tools.',
  tools: 'Which tools there are, and what they take.',
  usage: 'What the key of the request has used.',
  keys: 'Keys of callers, with a key that has the scope `admin`.',
  operation: 'Runs of all keys, with a key that has the scope `admin`.',
  health: 'For probes and monitoring, without a key.',
};

/**
 * The contract as declared in the code.
 * @param schemas added to its components, or to the one of the same name.
 */
export function buildOpenApi(
  app: INestApplication,
  server: string,
  schemas: Record<string, object> = {},
): OpenAPIObject {
  const builder = new DocumentBuilder();
  for (const [name, about] of Object.entries(TAGS)) builder.addTag(name, about);
  const options = builder
    .setTitle('Sonde')
    .setDescription('Deep research as a dependable REST service.')
    .setVersion(projectVersion())
    .setOpenAPIVersion('3.1.1')
    .addServer(server, 'The server of this document')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'An API key.',
    })
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-Invocation-Token',
        description: 'Gives access to the one invocation it was issued for.',
      },
      'invocation-token',
    )
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '')}_${method}`,
  });
  const components = document.components?.schemas ?? {};
  const added = Object.entries(schemas).map(
    ([name, schema]): [string, Schema] => [
      name,
      { ...components[name], ...schema },
    ],
  );
  document.components = {
    ...document.components,
    schemas: {
      ...components,
      ...Object.fromEntries(added),
      Problem: PROBLEM,
    },
  };
  return shaped(document);
}

/**
 * Serves Swagger UI at `/docs` and the document at `/openapi.json`, built at the first request. A browser that is refused for
 * want of a key gets a page that asks for it.
 * @param check rejects with the error that refuses a request for either.
 */
export function setupSwaggerUi(
  app: INestApplication,
  document: () => OpenAPIObject,
  check: (request: FastifyRequest) => Promise<void>,
): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', async (request, reply) => {
    const { url = '' } = request.routeOptions;
    if (!/^\/(docs|openapi)\b/.test(url)) return;
    if (SIGN_IN_FILES.includes(request.url)) return;
    try {
      await check(request);
    } catch (error) {
      if (!wantsPage(request, url) || !lacksKey(error)) throw error;
      await signIn(reply);
    }
  });
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Sonde',
  });
}

function wantsPage({ headers }: FastifyRequest, url: string): boolean {
  return /^\/docs\/?$/.test(url) && /\bhtml\b/.test(headers.accept ?? '');
}

function lacksKey(error: unknown): boolean {
  return error instanceof AppError && error.code === 'missing_api_key';
}

async function signIn(reply: FastifyReply): Promise<void> {
  await reply
    .code(401)
    .type('text/html; charset=utf-8')
    .headers({
      vary: 'accept',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': SIGN_IN_POLICY,
    })
    .send(SIGN_IN_PAGE);
}
