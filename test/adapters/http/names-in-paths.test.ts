import { startExampleApi } from '../../proof/example-world';
import { type InProcessApi } from '../../support/in-process-api';
import { rawClient } from '../../support/raw-client';
import { waitFor } from '../../support/wait-for';

describe('names that addresses cannot contain', () => {
  let api: InProcessApi;
  beforeAll(async () => {
    api = await startExampleApi();
    await api.as(null).call('bootstrap', { body: { username: 'olivia' } });
  });
  afterAll(() => api.close());

  it.each(['.', '..'])('are rejected when a user is created: %s', async (username) => {
    const { status, body } = await api.as('olivia').send('POST', '/api/users', { body: { username } });
    expect([status, body]).toMatchObject([400, { error: { details: { field: 'username' } } }]);
    const { status: others } = await api
      .as('olivia')
      .send('POST', '/api/users', { body: { username: `a${username}b` } });
    expect(others).toBe(201);
  });

  // Ordinary clients remove such a segment from the address.
  it.each(['.', '..', '%2e'])('are rejected when a query is saved: %s', async (name) => {
    const body = '{"query": "RETURN 1"}';
    const head = `PUT /api/mappings/1/queries/${name} HTTP/1.1\r\nHost: localhost\r\nX-Username: olivia\r\nConnection: close\r\n`;
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const client = rawClient(Number(new URL(api.url).port), head + type + body);
    await waitFor('the server answers', () => client.hasEnded);
    expect(client.received).toContain('HTTP/1.1 400');
    expect(client.received).toContain('"field":"query_name"');
    client.socket.end();
  });
});
