import { dirname, join } from 'node:path';
import { Router } from 'express';
import { serveGet } from '../kit/router';

/** What the page needs of the packaged Swagger UI; nothing else of it is served. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>rowgraph API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page needs JavaScript. The description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** Everything comes from this service, so that the page works without the internet and tells nobody about its readers. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The description of the API as a page to read and try, at the path it is mounted on. */
export const apiPage = (): Router => {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const router = Router({ strict: true });
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  serveGet(router, '/', (request, response) => {
    // The page's own addresses are relative to the path without the slash.
    if (request.originalUrl.endsWith('/')) response.redirect(308, `../${request.baseUrl.split('/').at(-1) ?? ''}`);
    else response.type('html').send(PAGE);
  });
  router.get('/start.js', (_request, response) => void response.type('js').send(START));
  for (const file of FILES) {
    router.get(`/${file}`, (_request, response) => response.sendFile(join(folder, file), { maxAge: '1d' }));
  }
  return router;
};
