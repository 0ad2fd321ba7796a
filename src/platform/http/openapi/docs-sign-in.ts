import { createHash } from 'node:crypto';

/** The key stays in the memory of the page, which loads the document with it. Nothing is written but text. */
const SCRIPT = `
const base = location.pathname.replace(/docs\\/?$/, '');
const form = document.querySelector('form');
const fault = document.querySelector('output');
const file = (name) => base + 'docs/' + name;

const load = () => new Promise((resolve, reject) => {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = file('swagger-ui.css');
  const script = document.createElement('script');
  script.src = file('swagger-ui-bundle.js');
  script.onload = resolve;
  script.onerror = reject;
  document.head.append(style, script);
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const authorization = 'Bearer ' + new FormData(form).get('key').trim();
  fault.textContent = '';
  try {
    const reply = await fetch(base + 'openapi.json', { headers: { authorization } });
    if (!reply.ok) {
      fault.textContent = reply.status === 401 ? 'This key is not valid.' : 'The service refused: ' + reply.status;
      return;
    }
    const spec = await reply.json();
    await load();
    form.remove();
    window.SwaggerUIBundle({
      spec,
      dom_id: '#docs',
      validatorUrl: 'none',
      requestInterceptor: (request) => {
        if (new URL(request.url, location.href).origin === location.origin)
          request.headers.authorization ??= authorization;
        return request;
      },
    });
  } catch {
    fault.textContent = 'The service did not answer.';
  }
});
`;

const HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** Swagger UI sets styles of elements, and draws its icons from data. */
export const SIGN_IN_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${HASH}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What a browser, which sends no key by itself, gets in place of `/docs`. */
export const SIGN_IN_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sonde</title>
<link rel="icon" href="data:,">
</head>
<body>
<form>
<p><label>API key <input name="key" type="password" autocomplete="off" required autofocus></label>
<button>Show the API</button></p>
<p><output role="alert"></output></p>
</form>
<div id="docs"></div>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** What that page loads without a key: files of Swagger UI, the same everywhere. */
export const SIGN_IN_FILES: readonly string[] = [
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
];
