import type { AppConfig } from '../config';
import type { Environment } from '../environment';

const PORT = 'RELAY_METRICS_PORT';

/** Where `/metrics` of each process is, if anywhere. */
export function readMetrics(env: Environment): AppConfig['metrics'] {
  const host = env.text('RELAY_METRICS_HOST', '127.0.0.1');
  return { host, ports: env.parsed(PORT, portsOf, '9464-9479') };
}

function portsOf(text: string): [number, number] {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  if (first === undefined)
    throw new Error('is neither a port nor a range of ports');
  const ports: [number, number] = [Number(first), Number(last)];
  if (ports[1] > 65_535 || ports[1] < ports[0])
    throw new Error('is not a port, or a range of ports from low to high');
  if (ports[0] === 0 && ports[1] !== 0)
    throw new Error('has a range that begins with 0');
  return ports;
}
