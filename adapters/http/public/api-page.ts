import { dirname, join } from 'node:path';
import { Router } from 'express';
import { describePodApi } from '../../contracts/graph-pod/describe-pod-api';
import { serveGet } from '../kit/router';
import { pagePolicy } from './page-policy';

/** The files of the packaged Swagger UI that the page needs; no others are served. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'];

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
    <script src="docs/swagger-ui-standalone-preset.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const KINDS = ['graphdb_a', 'graphdb_b'] as const;

/** The API descriptions on the page, by their relative URL. */
const DESCRIPTIONS = [
  { name: 'rowgraph', url: 'openapi.json' },
  ...KINDS.map((kind) => ({ name: `instances of the kind ${kind}`, url: `docs/${kind}.json` })),
];

const START = `SwaggerUIBundle({
  urls: ${JSON.stringify(DESCRIPTIONS)},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The operations of the instances of a kind; the page has a field for the instance. */
const describeInstances = (kind: (typeof KINDS)[number], { version, instanceBaseUrl }: ApiPageOptions) => ({
  ...describePodApi(kind, { version, instanceUrl: instanceBaseUrl }),
  servers: [
    {
      url: `${instanceBaseUrl}/{slug}`,
      variables: { slug: { default: 'slug', description: 'the last part of the instance_url of an instance' } },
    },
  ],
});

export interface ApiPageOptions {
  readonly version: string;
  /** Prefix of the URLs of instances. */
  readonly instanceBaseUrl: string;
}

/**
 * A page that shows the description of the API and of the instances and sends requests, at the path it is mounted on.
 */
export const apiPage = (options: ApiPageOptions): Router => {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const router = Router({ strict: true });
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', pagePolicy());
    next();
  });
  serveGet(router, '/', (request, response) => {
    // The relative URLs of the page need a path without the trailing slash.
    if (request.originalUrl.split('?')[0]?.endsWith('/') === true)
      response.redirect(308, `../${request.baseUrl.split('/').at(-1) ?? ''}`);
    else response.type('html').send(PAGE);
  });
  serveGet(router, '/start.js', (_request, response) => void response.type('js').send(START));
  for (const kind of KINDS) {
    const description = describeInstances(kind, options);
    serveGet(router, `/${kind}.json`, (_request, response) => void response.json(description));
  }
  for (const file of FILES) {
    router.get(`/${file}`, (_request, response) => response.sendFile(join(folder, file), { maxAge: '1d' }));
  }
  return router;
};
