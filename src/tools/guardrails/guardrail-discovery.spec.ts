import {
  Inject,
  Injectable,
  Module,
  type Provider,
  Scope,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../config/config.module';
import { ConfigError } from '../../config/environment';
import { loadConfig } from '../../config/load-config';
import type { Checker, GuardrailContext } from './guardrail';
import { InputGuardrail, OutputGuardrail } from './guardrail.decorator';
import { GuardrailDiscovery } from './guardrail-discovery';
import { Guardrails } from './guardrails';
import { GuardrailsModule } from './guardrails.module';

const SIGN = Symbol('sign');
const sign: Provider = { provide: SIGN, useValue: '!' };
const context: GuardrailContext = {
  consulted: new Set(),
  signal: new AbortController().signal,
};

@InputGuardrail({ name: 'marks' })
@OutputGuardrail({ name: 'marks' })
@OutputGuardrail({ name: 'marks', tools: ['find'] })
@Injectable()
class Marks implements Checker {
  constructor(@Inject(SIGN) private readonly mark: string) {}

  check(text: string) {
    return text + this.mark;
  }
}

@InputGuardrail({ name: 'more-marks' })
@Injectable()
class MoreMarks extends Marks {
  override check(text: string) {
    return super.check(super.check(text));
  }
}

async function guardrailsWith(
  environment: NodeJS.ProcessEnv,
  ...providers: Provider[]
): Promise<Guardrails> {
  @Module({
    imports: [ConfigModule.forRoot(loadConfig(environment)), GuardrailsModule],
    providers: [sign, ...providers],
  })
  class TestModule {}
  const app = await NestFactory.createApplicationContext(TestModule, {
    logger: false,
    abortOnError: false,
  });
  const guardrails = app.get(Guardrails);
  await app.close();
  return guardrails;
}

/** What is left of `a` as the user's, as the answer, as an argument and as a result of the tool. */
const left = async (guardrails: Guardrails) => [
  await guardrails.input('a', context),
  await guardrails.output('a', context),
  await guardrails.toolInput('find', 'a', context),
  await guardrails.toolOutput('find', 'a', context),
];

describe(GuardrailDiscovery.name, () => {
  it('finds a provider of several stages and injects its dependencies', async () => {
    const guardrails = await guardrailsWith({}, Marks);
    expect(await left(guardrails)).toEqual(['a!', 'a!', 'a', 'a!']);
  });

  it('finds a guardrail of the arguments of a tool', async () => {
    @InputGuardrail({ name: 'args', tools: ['fi*'] })
    @Injectable()
    class Args {
      check(text: string) {
        return `${text}?`;
      }
    }
    const guardrails = await guardrailsWith({}, Args);
    expect(await left(guardrails)).toEqual(['a', 'a', 'a?', 'a']);
  });

  it('finds inherited declarations, except for stages that the class declares itself', async () => {
    const guardrails = await guardrailsWith({}, MoreMarks);
    expect(await left(guardrails)).toEqual(['a!!', 'a!!', 'a', 'a!!']);
    expect(() =>
      guardrails.register({ name: 'marks', stage: 'input', check: String }),
    ).not.toThrow();
  });

  it.each<[string, Provider]>([
    ['a factory', { provide: 'x', useFactory: () => new Marks('?') }],
    ['a value', { provide: 'x', useValue: new Marks('?') }],
  ])('finds the guardrail that is provided by %s', async (_, provider) => {
    expect((await left(await guardrailsWith({}, provider)))[0]).toBe('a?');
  });

  it('registers a provider with two tokens once', async () => {
    const again = { provide: 'again', useExisting: Marks };
    expect((await left(await guardrailsWith({}, Marks, again)))[0]).toBe('a!');
  });

  it('ignores providers that are not guardrails', async () => {
    const values = [undefined, null, 1, 'a', () => 1, Object.create(null)];
    const providers = values.map((useValue, n) => ({
      provide: `value ${n}`,
      useValue: useValue as unknown,
    }));
    const guardrails = await guardrailsWith({}, ...providers);
    expect(guardrails.guardsOutput).toBe(false);
  });

  const refusal = async (
    provider: Provider,
    environment: NodeJS.ProcessEnv = {},
    ...others: Provider[]
  ) => {
    const fault: unknown = await guardrailsWith(
      environment,
      provider,
      ...others,
    ).then(
      () => 'none',
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(ConfigError);
    return (fault as ConfigError).message;
  };

  it('refuses to start with two of one name and stage', async () => {
    const other = { provide: 'other', useValue: new Marks('?') };
    expect(await refusal(Marks, {}, other)).toBe(
      'Two guardrails of the stage input are named "marks": rename one of them.',
    );
  });

  it('refuses to start with the name of a built-in guardrail', async () => {
    @OutputGuardrail({ name: 'pii' })
    @Injectable()
    class Mine {
      check(text: string) {
        return text;
      }
    }
    const on = { RELAY_GUARDRAILS: 'pii:redact' };
    expect(await refusal(Mine, on)).toBe(
      'Two guardrails of the stage output are named "pii": rename one of them.',
    );
    await expect(guardrailsWith({}, Mine)).resolves.toBeDefined();
  });

  it.each([
    [
      { name: 'not a name' },
      'The guardrail "not a name" has a name that is not 1 to 64 letters, digits, _ or -: rename it.',
    ],
    [
      { name: 'idle', tools: [] },
      'The guardrail "idle" has an empty list of tools and checks nothing: name some, or leave "tools" out.',
    ],
  ])('refuses to start with the options %j', async (options, message) => {
    @InputGuardrail(options)
    @Injectable()
    class Odd {
      check(text: string) {
        return text;
      }
    }
    expect(await refusal(Odd)).toBe(message);
  });

  it('refuses to start with a request-scoped provider', async () => {
    @InputGuardrail({ name: 'fleeting' })
    @Injectable({ scope: Scope.REQUEST })
    class Fleeting {
      check(text: string) {
        return text;
      }
    }
    expect(await refusal(Fleeting)).toBe(
      'The guardrail "fleeting" belongs to a request-scoped provider: use the default scope.',
    );
  });
});
