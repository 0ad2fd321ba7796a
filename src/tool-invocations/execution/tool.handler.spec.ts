import type { AppConfig } from '../../config/config';
import type { RunReader } from '../../runs/store/run-reader';
import type { RunWorker } from '../../runs/worker/run.worker';
import type { ToolRegistry } from '../../tools/tool-registry';
import type { ToolExecutor } from './tool-executor';
import { ToolHandler } from './tool.handler';

const TIME_LIMIT_MS = 300_000;

/** Of a worker that knows no tool yet, and has two servers. */
const handlerOf = (tool: string, ageMs: number): ToolHandler => {
  const servers = [
    { name: 'program', connectTimeoutMs: 60_000 },
    { name: 'remote', connectTimeoutMs: 10_000 },
  ];
  const plan = { tool, dueInMs: 0, ageMs };
  return new ToolHandler(
    {} as RunWorker,
    { readPlan: () => Promise.resolve(plan) } as unknown as RunReader,
    {} as ToolExecutor,
    { find: () => undefined } as unknown as ToolRegistry,
    {
      mcp: { servers },
      tools: { timeoutMs: TIME_LIMIT_MS },
    } as unknown as AppConfig,
    [],
  );
};

describe(ToolHandler.name, () => {
  it.each([
    ['program__sum', 59_000],
    ['remote__sum', 9_000],
  ])(
    'a run of %s waits for its server for as long as that may take to connect',
    async (tool, ageMs) => {
      const admitted = await handlerOf(tool, ageMs).admit('inv_1');
      expect(admitted).toHaveProperty('retryMs');
    },
  );

  it.each([
    ['program__sum', 60_000],
    ['remote__sum', 10_000],
    ['none__sum', 0],
  ])('a run of %s begins after %d ms', async (tool, ageMs) => {
    const admitted = await handlerOf(tool, ageMs).admit('inv_1');
    expect(admitted).toEqual({ timeLimitMs: TIME_LIMIT_MS });
  });
});
