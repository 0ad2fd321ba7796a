import { registerHooks } from 'node:module';
import { report } from './report';

/** Logs on stderr each package of OpenTelemetry that a process loads: `loads @opentelemetry/api`. */
const seen = new Set<string>();

registerHooks({
  load(url, context, next) {
    const [name] = /@opentelemetry\/[\w-]+/.exec(url) ?? [];
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      report(`loads ${name}`);
    }
    return next(url, context);
  },
});
