import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import helmet from 'helmet';
import { apiPage } from '../../../../adapters/http/public/api-page';

describe('the page of the API', () => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    const app = express().use(helmet()).use('/api/docs', apiPage());
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('comes from this service alone, with everything it loads', async () => {
    const page = await fetch(`${origin}/api/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(html).not.toMatch(/https?:\/\//);

    const loaded = [...html.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(loaded).toHaveLength(3);
    for (const address of loaded) {
      const part = await fetch(new URL(address, page.url));
      expect([address, part.status]).toEqual([address, 200]);
      expect((await part.text()).length).toBeGreaterThan(100);
    }
    const start = await (await fetch(`${origin}/api/docs/start.js`)).text();
    expect(start).toContain(`url: 'openapi.json'`);
    expect(new URL('openapi.json', page.url).pathname).toBe('/api/openapi.json');
  });

  it('lets the browser load nothing from elsewhere', async () => {
    const policy = (await fetch(`${origin}/api/docs`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|unsafe-eval/);
  });

  it('is found with a slash behind it, and serves no other file of the package', async () => {
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
