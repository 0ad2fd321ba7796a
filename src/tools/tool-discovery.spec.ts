import {
  Inject,
  Injectable,
  Module,
  type Provider,
  Scope,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { ConfigError } from '../config/environment';
import { ConfigModule } from '../config/config.module';
import { loadConfig } from '../config/load-config';
import type { ToolContext } from './tool';
import { Tool } from './tool.decorator';
import { ToolDiscovery } from './tool-discovery';
import { ToolRegistry } from './tool-registry';
import { ToolsModule } from './tools.module';

const none = z.object({});
const person = z.object({ whom: z.string() });
const GREETING = Symbol('greeting');
const greeting: Provider = { provide: GREETING, useValue: 'Hello' };
const toolOf = (name: string) => ({
  name,
  description: `Does ${name}.`,
  parameters: none,
});

@Tool({ ...toolOf('greet'), parameters: person })
@Injectable()
class GreetTool {
  constructor(@Inject(GREETING) private readonly word: string) {}

  run({ whom }: { whom: string }, { tenant }: ToolContext) {
    return `${this.word} ${whom}, from ${tenant}`;
  }
}

@Injectable()
class ClockTools {
  private readonly now = 'noon';

  @Tool(toolOf('time'))
  time() {
    return this.now;
  }

  @Tool(toolOf('fail'))
  fail() {
    throw new Error(this.now);
  }

  notATool() {}
}

@Injectable()
class LaterClockTools extends ClockTools {
  override time() {
    return 'midnight';
  }

  @Tool(toolOf('zone'))
  zone() {
    return 'UTC';
  }
}

@Tool({ ...toolOf('shout'), parameters: person })
@Injectable()
class ShoutTool extends GreetTool {
  override run(args: { whom: string }, context: ToolContext) {
    return super.run(args, context).toUpperCase();
  }
}

async function registryWith(...providers: Provider[]): Promise<ToolRegistry> {
  @Module({
    imports: [ConfigModule.forRoot(loadConfig({})), ToolsModule],
    providers,
  })
  class TestModule {}
  const app = await NestFactory.createApplicationContext(TestModule, {
    logger: false,
    abortOnError: false,
  });
  const registry = app.get(ToolRegistry);
  await app.close();
  return registry;
}

const namesOf = (registry: ToolRegistry) =>
  registry.list().map(({ name }) => name);
const call = (registry: ToolRegistry, name: string, args = {}) =>
  registry.get(name).run!(args, { tenant: 'alice' } as ToolContext);

describe(ToolDiscovery.name, () => {
  it('finds a class that is a tool, with its dependencies injected', async () => {
    const registry = await registryWith(GreetTool, greeting);
    expect(namesOf(registry)).toEqual(['greet']);
    expect(await call(registry, 'greet', { whom: 'Bob' })).toBe(
      'Hello Bob, from alice',
    );
  });

  it('finds methods that are tools, several in one class', async () => {
    const registry = await registryWith(ClockTools);
    expect(namesOf(registry)).toEqual(['time', 'fail']);
    expect(await call(registry, 'time')).toBe('noon');
    await expect(call(registry, 'fail')).rejects.toThrow('noon');
  });

  it('finds inherited tools, in their overridden form', async () => {
    const registry = await registryWith(LaterClockTools);
    expect(namesOf(registry).sort()).toEqual(['fail', 'time', 'zone']);
    expect(await call(registry, 'time')).toBe('midnight');
  });

  it('keeps the tool of a base class that a subclass overrides', async () => {
    const registry = await registryWith(GreetTool, ShoutTool, greeting);
    expect(namesOf(registry)).toEqual(['greet', 'shout']);
    const bob = { whom: 'Bob' };
    expect(await call(registry, 'greet', bob)).toMatch(/^Hello Bob/);
    expect(await call(registry, 'shout', bob)).toMatch(/^HELLO BOB/);
  });

  it.each<[string, Provider]>([
    ['a factory', { provide: 'x', useFactory: () => new ClockTools() }],
    ['a value', { provide: 'x', useValue: new ClockTools() }],
    ['another name', { provide: 'x', useClass: ClockTools }],
  ])('finds the tools of a provider by %s', async (_, provider) => {
    const registry = await registryWith(provider);
    expect(await call(registry, 'time')).toBe('noon');
  });

  it('registers a provider with two names once', async () => {
    const again = { provide: 'again', useExisting: ClockTools };
    expect(namesOf(await registryWith(ClockTools, again))).toHaveLength(2);
  });

  it('ignores providers that are not tools', async () => {
    const values = [undefined, null, 1, 'a', () => 1, Object.create(null)];
    const providers = values.map((useValue, n) => ({
      provide: `value ${n}`,
      useValue: useValue as unknown,
    }));
    expect(namesOf(await registryWith(...providers))).toEqual([]);
  });

  const refusal = async (...providers: Provider[]) => {
    const fault: unknown = await registryWith(...providers).then(
      () => 'none',
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(ConfigError);
    return (fault as ConfigError).message;
  };

  it('refuses to start with two tools of the same name', async () => {
    expect(await refusal(ClockTools, LaterClockTools)).toBe(
      'Two tools are named "time": rename one of them.',
    );
  });

  it('refuses to start with a tool that cannot be called', async () => {
    @Tool({ ...toolOf('odd'), parameters: z.object({ at: z.date() }) })
    @Injectable()
    class OddTool {
      run() {}
    }
    expect(await refusal(OddTool)).toMatch(
      /^The tool "odd" has parameters that .*Date.*\.$/,
    );
  });

  it('refuses to start with a request-scoped tool', async () => {
    @Tool(toolOf('fleeting'))
    @Injectable({ scope: Scope.REQUEST })
    class FleetingTool {
      run() {}
    }
    expect(await refusal(FleetingTool)).toBe(
      'The tool "fleeting" belongs to a request-scoped provider: use the default scope.',
    );
  });
});
