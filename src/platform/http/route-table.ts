import type { FastifyInstance } from 'fastify';

interface Entry {
  pattern: RegExp;
  methods: Set<string>;
}

/** The methods of every path, so that a wrong method is distinguished from an unknown path. */
export class RouteTable {
  private readonly entries = new Map<string, Entry>();

  /** Call it before routes are added. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => this.add(url, method));
  }

  /** Empty if nothing is served at this path with any method. */
  methodsOf(url: string): string[] {
    const path = url.split('?', 1)[0].replace(/(?<=.)\/$/, '');
    // A path of its own is none of those that a pattern has, as `estimate` is no id.
    const own = this.entries.get(path);
    const methods = new Set<string>(own?.methods);
    for (const entry of own ? [] : this.entries.values()) {
      if (entry.pattern.test(path))
        entry.methods.forEach((method) => methods.add(method));
    }
    return [...methods].sort();
  }

  private add(url: string, method: string | string[]): void {
    // Wildcard routes serve files, where any other path is unknown.
    if (url.includes('*')) return;
    const entry = this.entries.get(url) ?? {
      pattern: toPattern(url),
      methods: new Set(),
    };
    for (const each of [method].flat()) entry.methods.add(each);
    this.entries.set(url, entry);
  }
}

function toPattern(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) =>
      segment.startsWith(':')
        ? '[^/]+'
        : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^${segments.join('/')}$`);
}
