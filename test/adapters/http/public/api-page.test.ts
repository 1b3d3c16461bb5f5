import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import express from 'express';
import helmet from 'helmet';
import { type OpenApiDocument } from '../../../../adapters/http/kit';
import { apiPage } from '../../../../adapters/http/public/api-page';

describe('the API page', () => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    const app = express()
      .use(helmet())
      .use('/api/docs', apiPage({ version: '1', instanceBaseUrl: 'http://there/graphs' }));
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('loads everything from this server', async () => {
    const page = await fetch(`${origin}/api/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(html).not.toMatch(/https?:\/\//);

    const loaded = [...html.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(loaded).toHaveLength(4);
    for (const address of loaded) {
      const part = await fetch(new URL(address, page.url));
      expect([address, part.status]).toEqual([address, 200]);
      expect((await part.text()).length).toBeGreaterThan(100);
    }
  });

  it.each(['/api/docs/', '/api/docs/?a=1'])('redirects %s, from which its parts would not load', async (path) => {
    const page = await fetch(`${origin}${path}`);
    expect([page.redirected, new URL(page.url).pathname]).toEqual([true, '/api/docs']);
  });

  it('shows the API and the operations of instances, with a field for the address of the instance', async () => {
    const start = await (await fetch(`${origin}/api/docs/start.js`)).text();
    const shown: { readonly urls: readonly { readonly url: string }[] }[] = [];
    const bundle = Object.assign((options: (typeof shown)[number]) => shown.push(options), { presets: {} });
    runInNewContext(start, { SwaggerUIBundle: bundle, SwaggerUIStandalonePreset: [] });
    const addresses = shown.flatMap(({ urls }) => urls.map(({ url }) => new URL(url, `${origin}/api/docs`)));
    expect(addresses.map(({ pathname }) => pathname)).toEqual([
      '/api/openapi.json',
      '/api/docs/graphdb_a.json',
      '/api/docs/graphdb_b.json',
    ]);
    for (const address of addresses.slice(1)) {
      const description = (await (await fetch(address)).json()) as OpenApiDocument;
      expect(Object.keys(description.paths)).toEqual(expect.arrayContaining(['/query', '/schema', '/algo/algorithms']));
      expect(description.servers).toMatchObject([{ url: 'http://there/graphs/{slug}', variables: { slug: {} } }]);
    }
  });

  it('forbids the browser to load from other hosts', async () => {
    const policy = (await fetch(`${origin}/api/docs`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|unsafe-eval/);
  });

  it('is served with a trailing slash, and no other file of the package is', async () => {
    expect((await fetch(`${origin}/api/docs/`)).url).toBe(`${origin}/api/docs`);
    for (const other of [
      'index.html',
      'swagger-ui-bundle.js.map',
      '../package.json',
      'package.json',
      '%2e%2e/package.json',
    ]) {
      expect((await fetch(`${origin}/api/docs/${other}`)).status).toBe(404);
    }
  });
});
