import { startSandbox } from './server';

const DEFAULT_PORT = 4010;

async function main(): Promise<void> {
  const port = Number(process.env.SANDBOX_PORT ?? DEFAULT_PORT);
  const sandbox = await startSandbox({ port });
  console.log(`sandbox listening on ${sandbox.url}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void sandbox.close());
}

void main();
