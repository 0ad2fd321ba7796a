import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const OUT = join(import.meta.dirname, '../dist/console');
const COMPRESSORS = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Writes each asset compressed beside itself, as the server sends them. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async closeBundle() {
      const folder = join(OUT, 'assets');
      for (const name of await readdir(folder)) {
        const file = join(folder, name);
        const content = await readFile(file);
        for (const [ending, compress] of Object.entries(COMPRESSORS))
          await writeFile(`${file}.${ending}`, await compress(content));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the console works behind a proxy with a path prefix.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy of the page allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/admin', '/health', '/docs', '/openapi.json'].map((path) => [
        path,
        'http://127.0.0.1:8080',
      ]),
    ),
  },
});
