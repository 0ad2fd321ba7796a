import type { Model } from '@openai/agents';
import { z } from 'zod';

const INPUT = '[sandbox: call get_weather {"city":"Seoul"}]';

/** An agent of the Agents SDK asks for the weather, once in one reply and once as a stream. */
export async function runWeatherAgent(model: Model) {
  const { Agent, Runner, tool } = await import('@openai/agents');
  const cities: string[] = [];
  const agent = new Agent({
    name: 'Weather',
    instructions: 'Be brief.',
    model,
    tools: [
      tool({
        name: 'get_weather',
        description: 'Reports the weather of a city.',
        parameters: z.object({ city: z.string() }),
        execute: ({ city }) => {
          cities.push(city);
          return `It is 3 degrees in ${city}.`;
        },
      }),
    ],
  });
  const runner = new Runner({ tracingDisabled: true });
  const { finalOutput: whole } = await runner.run(agent, INPUT);
  const stream = await runner.run(agent, INPUT, { stream: true });
  await stream.completed;
  return { whole, streamed: stream.finalOutput, cities };
}
