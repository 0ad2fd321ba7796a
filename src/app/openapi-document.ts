import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { buildOpenApi } from '../http/openapi/openapi';
import { researchArguments } from '../research/research.arguments';

/** The mode is set by arguments that every tool accepts. */
const modes = {
  background: z
    .boolean()
    .default(false)
    .describe('Return at once; read the record later.'),
  stream: z
    .boolean()
    .default(false)
    .describe('Return at once and stream the events.'),
};

/** The HTTP contract: the routes of the controllers, and the arguments of tools, which are free-form there. */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const argumentsSchema = z.toJSONSchema(researchArguments.extend(modes), {
    io: 'input',
    target: 'draft-2020-12',
  });
  return buildOpenApi(app, { DeepResearchArguments: argumentsSchema });
}
