import { createHash } from 'node:crypto';

/** Paths are relative, so that they work behind a proxy with a path prefix. */
export interface FrontPage {
  links: readonly { name: string; path: string; about: string }[];
  /** What the built-in sandbox has pages on; null with another upstream. */
  topics: readonly string[] | null;
}

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff }
h1 { font-size: 1.6rem } h2 { font-size: 1.1rem; margin-top: 2rem }
pre { overflow-x: auto; padding: .8rem; background: #f3f3f3; border-radius: .3rem }
dt { margin-top: .6rem } dd { margin: 0 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } pre { background: #262626 } a { color: #8ab4f8 }
}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Only the style above may load, no script may run, and no other page may frame it. */
export const FRONT_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** @param host the host name that the browser used. */
export function frontPageHtml(
  { links, topics }: FrontPage,
  host: string,
): string {
  const items = links.map(
    ({ name, path, about }) =>
      `<dt><a href="${escaped(path)}">${escaped(name)}</a></dt><dd>${escaped(about)}</dd>`,
  );
  const example = `curl http://${host}/api/v1/chat -H 'Content-Type: application/json' \\
  -d '{"message": "Tell me in detail about the history of kimchi"}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sonde</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Sonde</h1>
<p>Deep research as a dependable REST service.</p>
<dl>
${items.join('\n')}
</dl>
<h2>A first question</h2>
<pre><code>${escaped(example)}</code></pre>
${topics ? sandboxHtml(topics) : ''}</body>
</html>
`;
}

function sandboxHtml(topics: readonly string[]): string {
  const items = topics.map((topic) => `<li>${escaped(topic)}</li>`);
  return `<h2>The built-in sandbox is the upstream</h2>
<p>No model is called and nothing is billed. It has these pages; set <code>LITELLM_BASE_URL</code> for a real endpoint.</p>
<ul>
${items.join('\n')}
</ul>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
