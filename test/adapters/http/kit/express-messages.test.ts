import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import { expressMessages } from '../../../../adapters/http/kit/http-server';

describe('a server for an Express app', () => {
  let server: Server;
  afterEach(() => server.close());

  it('creates requests and responses that Express does not have to change', async () => {
    const app = express();
    const seen: boolean[] = [];
    app.get('/greeting', (request, response) => {
      seen.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response);
      response.status(201).json({ to: request.query['to'], host: request.get('host'), app: request.app === app });
    });
    server = createServer(expressMessages(app), (request, response) => {
      seen.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response);
      app(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await fetch(`http://${host}/greeting?to=all`);
    expect([answer.status, await answer.json()]).toEqual([201, { to: 'all', host, app: true }]);
    expect(seen).toEqual([true, true, true, true]);
  });
});
