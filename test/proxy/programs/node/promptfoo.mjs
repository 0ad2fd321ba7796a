/** `promptfoo eval`: a configuration for each model, with an assertion. Arguments: the base URL, a key. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [apiBaseUrl, apiKey] = process.argv.slice(2);
const promptfoo = fileURLToPath(
  new URL('node_modules/.bin/promptfoo', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'promptfoo-'));
const env = {
  ...process.env,
  PROMPTFOO_CONFIG_DIR: folder,
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
};

function evaluate(model, question, value) {
  const config = join(folder, `${model}.json`);
  const output = join(folder, `${model}.output.json`);
  const provider = {
    id: `openai:chat:${model}`,
    config: { apiBaseUrl, apiKey },
  };
  const test = { vars: { question }, assert: [{ type: 'contains', value }] };
  writeFileSync(
    config,
    JSON.stringify({
      prompts: ['{{question}}'],
      providers: [provider],
      tests: [test],
    }),
  );
  execFileSync(
    process.execPath,
    [promptfoo, 'eval', '-c', config, '-o', output],
    { env },
  );
  const { results } = JSON.parse(readFileSync(output, 'utf8')).results;
  return results[0].response.output;
}

console.log(
  evaluate('gpt-4.1', '[sandbox: answer "It is 3 degrees in Seoul."]', 'Seoul'),
);
console.log(evaluate('sonde-research', 'The history of kimchi', 'kimchi'));
