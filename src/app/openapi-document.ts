import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { buildOpenApi } from '../http/openapi/openapi';
import { researchArguments } from '../research/research.arguments';

/** What is said of a mode travels among the arguments of every tool. */
const modes = {
  background: z
    .boolean()
    .default(false)
    .describe('Answer at once; read the record later.'),
  stream: z
    .boolean()
    .default(false)
    .describe('Answer at once; follow the events.'),
};

/** The HTTP contract: what the controllers say, and the arguments of the tools, which are free-form to them. */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const argumentsSchema = z.toJSONSchema(researchArguments.extend(modes), {
    io: 'input',
    target: 'draft-2020-12',
  });
  return buildOpenApi(app, { DeepResearchArguments: argumentsSchema });
}
