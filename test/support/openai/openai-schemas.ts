import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';

const MODULES = join(__dirname, '../../../node_modules');
const GENERATOR = join(
  MODULES,
  'ts-json-schema-generator/bin/ts-json-schema-generator.js',
);
const TYPES = join(MODULES, 'openai/resources/responses/responses.d.ts');
/** The SDK adds the first itself; the second is of OpenAI's own service. */
const NOT_ON_THE_WIRE = ['output_text', 'access_programs'];

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  required?: string[];
  properties?: Record<string, { const?: string }>;
}

/** What leaves `/v1`, checked against the types of the installed SDK of OpenAI. */
export class OpenAiSchemas {
  private readonly ajv = new Ajv({ strict: false, logger: false });
  private readonly events = new Map<string, string>();
  private readonly checks = new Map<string, ValidateFunction>();

  private constructor(definitions: Record<string, Schema>) {
    const { Response: response } = definitions;
    response.required = response.required?.filter(
      (name) => !NOT_ON_THE_WIRE.includes(name),
    );
    this.ajv.addSchema({ definitions }, 'sdk');
    for (const { $ref = '' } of definitions.ResponseStreamEvent.anyOf ?? []) {
      const name = $ref.split('/').at(-1)!;
      this.events.set(definitions[name].properties!.type.const!, name);
    }
  }

  /** Takes some seconds. */
  static generate(): OpenAiSchemas {
    const json = execFileSync(
      process.execPath,
      [
        GENERATOR,
        '--path',
        TYPES,
        '--type',
        '*',
        '--no-type-check',
        '--additional-properties',
      ],
      { maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] },
    ).toString();
    const { definitions } = JSON.parse(json) as {
      definitions: Record<string, Schema>;
    };
    return new OpenAiSchemas(definitions);
  }

  expectEvent(event: { type: string }): void {
    const name = this.events.get(event.type);
    if (name === undefined)
      throw new Error(`OpenAI has no event ${event.type}`);
    this.expect(name, event);
  }

  expectResponse(response: object): void {
    this.expect('Response', response);
  }

  expect(name: string, value: object): void {
    const check =
      this.checks.get(name) ??
      this.ajv.compile({ $ref: `sdk#/definitions/${name}` });
    this.checks.set(name, check);
    if (!check(value))
      throw new Error(
        `no ${name}: ${this.ajv.errorsText(check.errors)}\n${JSON.stringify(value)}`,
      );
  }
}
