import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ApiClient } from '../../support/api-client';
import { queryDatabase } from '../../support/at-rest';
import { CLI_PROGRAM, commandLine } from '../../support/command-line';
import { createInstance, createMapping, deleteInstance, untilRunning } from '../../support/instances';
import { logOf } from '../../support/log-of';
import { type RunningSystem } from '../../support/running-system';
import { townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of system-with-api-keys.test.ts; `key` is that of olivia. */
export const apiKeys = (shared: () => RunningSystem, key: () => string): void => {
  let system: RunningSystem;
  let anonymous: ApiClient;
  let opsKey: string;
  beforeAll(() => {
    system = shared();
    anonymous = system.as(null);
    opsKey = key();
  });

  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

  const makeKey = async (username: string, name: string, by = opsKey, ttl?: string) => {
    const path = `/api/users/${username}/api-keys`;
    const body = { name, ...(ttl === undefined ? {} : { ttl }) };
    const { status, body: answer } = await anonymous.send('POST', path, { body, headers: bearer(by) });
    expect(status).toBe(201);
    return (answer as { readonly data: { readonly id: string; readonly key: string } }).data;
  };
  /** The same client, with these headers on every request. */
  const withHeaders = (client: ApiClient, headers: Readonly<Record<string, string>>): ApiClient => ({
    send: (method, path, options) => client.send(method, path, { ...options, headers }),
    call: (name, input) => client.call(name, { ...input, headers }),
    refused: (method, path, options) => client.refused(method, path, { ...options, headers }),
  });
  const refused = (headers: Readonly<Record<string, string>>) => anonymous.refused('GET', '/api/mappings', { headers });

  describe('a caller with an API key', () => {
    it('is the user of the key, whatever else the request contains', async () => {
      const { key } = await makeKey('ada', 'laptop');
      const headers = { ...bearer(key), 'X-Username': 'olivia', 'X-User-Role': 'ops' };
      const { data } = await anonymous.call('createMapping', { body: townMapping, headers });
      expect(data.owner_username).toBe('ada');
      expect(await anonymous.refused('GET', '/api/ops/state', { headers })).toMatchObject({ status: 403 });
    });

    it('is rejected unless the key is correct to the last character', async () => {
      const { key } = await makeKey('ada', 'desk');
      const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
      expect(await refused({})).toMatchObject({ status: 401, details: { reason: 'api_key_missing' } });
      for (const text of [`Bearer ${wrong}`, 'Bearer x', `Basic ${key}`, 'Bearer']) {
        expect(await refused({ Authorization: text })).toMatchObject({
          status: 401,
          code: 'UNAUTHORIZED',
          details: { reason: 'api_key_invalid' },
        });
      }
      const { headers } = await anonymous.send('GET', '/api/mappings', { headers: { 'X-Username': 'olivia' } });
      expect(headers['www-authenticate']).toBe('Bearer realm="rowgraph"');
    });

    it('is accepted until the key expires or is revoked, or the user is deactivated', async () => {
      const { key: short } = await makeKey('bob', 'short', opsKey, 'PT1S');
      const { key, id } = await makeKey('bob', 'long');
      const { key: other } = await makeKey('bob', 'other');
      await anonymous.call('listMappings', { headers: bearer(key) });
      const path = `/api/users/bob/api-keys/${id}`;
      expect(await anonymous.send('DELETE', path, { headers: bearer(key) })).toMatchObject({ status: 200 });
      expect(await refused(bearer(key))).toMatchObject({ details: { reason: 'api_key_invalid' } });
      expect(await anonymous.refused('DELETE', path, { headers: bearer(other) })).toMatchObject({ status: 404 });
      await waitFor('the short-lived key has expired', async () => {
        const answer = await anonymous.send('GET', '/api/mappings', { headers: bearer(short) });
        return answer.status === 401;
      });
      expect(await refused(bearer(short))).toMatchObject({ details: { reason: 'api_key_expired' } });
      await anonymous.call('deactivateUser', { id: 'bob', headers: bearer(opsKey) });
      expect(await refused(bearer(other))).toMatchObject({ status: 401, details: { reason: 'user_disabled' } });
    });

    it('lists the own keys by name, without secrets and without the keys of others', async () => {
      const { key } = await makeKey('ada', 'listed');
      const path = '/api/users/ada/api-keys';
      const { body } = await anonymous.send('GET', path, { headers: bearer(key) });
      expect(body).toMatchObject({
        data: expect.arrayContaining([expect.objectContaining({ name: 'listed' })]) as unknown,
      });
      const olivias = '/api/users/olivia/api-keys';
      expect(await anonymous.refused('GET', olivias, { headers: bearer(key) })).toMatchObject({ status: 403 });
      const secret = key.slice(-43);
      expect(JSON.stringify(body)).not.toContain(secret);
      const log = JSON.stringify(await logOf(system));
      expect(log).toContain('"listed"');
      expect(log).not.toContain(secret);
    });

    it('receives a secret once, even when the request is repeated', async () => {
      const request = { body: { name: 'repeated' }, headers: { ...bearer(opsKey), 'Idempotency-Key': 'once' } };
      const path = '/api/users/ada/api-keys';
      expect(await anonymous.send('POST', path, request)).toMatchObject({ status: 201 });
      expect(await anonymous.refused('POST', path, request)).toMatchObject({ status: 409, code: 'ALREADY_EXISTS' });
      expect(await queryDatabase(system, `SELECT 1 FROM es.idempotency WHERE body::text LIKE '%rgk\\_%'`)).toEqual([]);
    });

    it('is identified the same way at instances', async () => {
      const headers = bearer((await makeKey('ada', 'graphs')).key);
      const ada = withHeaders(anonymous, headers);
      const id = await createInstance(ada, await createMapping(ada, townMapping));
      const { instance_url: url } = await untilRunning(ada, id);
      const query = { body: { query: 'RETURN 1 AS one' } };
      for (const [method, path, sent] of [
        ['GET', '', {}],
        ['GET', '/health', {}],
        ['POST', '/query', query],
      ] as const) {
        expect(await anonymous.refused(method, `${url}${path}`, sent)).toMatchObject({
          status: 401,
          code: 'UNAUTHORIZED',
        });
        expect((await anonymous.send(method, `${url}${path}`, { ...sent, headers })).status).toBe(200);
      }
      const run = { body: { node_label: 'Person', property_name: 'rank' } };
      expect(
        (await anonymous.send('POST', `${url}/algo/pagerank`, { ...run, headers: { 'X-Username': 'ada' } })).status,
      ).toBe(401);
      expect((await anonymous.send('POST', `${url}/algo/pagerank`, { ...run, headers })).status).toBe(202);
      await deleteInstance(ada, id);
    });

    it('creates, lists and revokes keys with the command line', async () => {
      const run = commandLine(system.folder);
      const login = (key: string) => run(['login', '--url', system.url, '--key', '-'], { input: `${key}\n` });
      expect((await login(opsKey)).out).toBe(`Logged in to ${system.url} as olivia.\n`);
      const made = await run(['keys', 'create', 'at home', '--user', 'ada', '--ttl', '30d']);
      expect(made.out).toMatch(/^rgk_\S+\n$/);
      expect(made.errors).toContain('shown only once');

      expect((await login(made.out)).out).toContain(' as ada.');
      const { out } = await run(['keys', 'list', '--tsv']);
      expect(out).toMatch(/\n[^\t]+\tat home\t[^\t]+\tolivia\t20[^\n]*\n/);
      expect(out).not.toContain('rgk_');
      expect((await run(['keys', 'list', '--user', 'olivia'])).errors).toContain('(FORBIDDEN)');
      expect((await run(['keys', 'revoke', 'elsewhere'])).errors).toContain('Unknown key "elsewhere" of ada.');
      expect((await run(['keys', 'revoke', 'at home', '--yes'])).out).toBe('Revoked key "at home" of ada.\n');
      expect(await run(['whoami'])).toMatchObject({ code: 1, out: '' });
    });

    it('a user loses the keys that others created when promoted, and those created with them', async () => {
      const ops = { headers: bearer(opsKey) };
      const body = { username: 'erin' };
      await anonymous.call('createUser', { body, ...ops });
      const { data: given } = await anonymous.call('createApiKey', { id: 'erin', body: { name: 'given' }, ...ops });
      const { data: own } = await anonymous.call('createApiKey', {
        ...{ id: 'erin', body: { name: 'own' }, headers: bearer(given.key) },
      });
      const { data } = await anonymous.call('changeUserRole', { id: 'erin', body: { role: 'admin' }, ...ops });
      expect(data.revoked_api_keys).toEqual([
        { id: given.id, name: 'given', created_by: 'olivia' },
        { id: own.id, name: 'own', created_by: 'erin' },
      ]);
      const statusOf = async (key: string) =>
        (await anonymous.send('GET', '/api/users', { headers: bearer(key) })).status;
      expect([await statusOf(given.key), await statusOf(own.key)]).toEqual([401, 401]);
    });

    it('a user who has lost every key gets a new one on the server', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [CLI_PROGRAM, 'new-key', 'olivia', '--json'], {
        env: { ...system.environment },
      });
      const [key = ''] = /rgk_[\w-]+/.exec(stdout) ?? [];
      await waitFor('the API key is valid', async () => {
        const answer = await anonymous.send('GET', '/api/ops/state', { headers: bearer(key) });
        return answer.status === 200;
      });
    });
  });
};
