import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { TrinoClient } from '../../adapters/trino/trino-client';
import { finish, ok } from '../contracts/query-engine/query-engine-contract';
import { expectLeft } from '../support/given-when-then';
import { createInstance, createMapping, findInstance, untilRunning } from '../support/instances';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { waitFor } from '../support/wait-for';
import { s3OfTest } from './support/s3';
import {
  createSlowTable,
  describeWithTrino,
  openTrino,
  s3Destination,
  SLOW_TABLE,
  trinoSettings,
} from './support/trino-server';

jest.setTimeout(300_000);

const { TRINO_TLS_URL: tlsUrl = '', TRINO_PASSWORD_USERS: users = '', TRINO_JWT_KEY_FILE: keyFile = '' } = process.env;
const [user = '', password = ''] = users.split(' ')[0]?.split(':') ?? [];
const WHO = 'SELECT current_user';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-trino-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** User, source and tags of the queries that contain a text, as Trino records them. */
const recorded = async (text: string): Promise<readonly unknown[]> => {
  const { TRINO_URL: url = '' } = process.env;
  const headers = { 'X-Trino-User': 'rowgraph' };
  const answer = await fetch(`${url}/v1/query`, { headers });
  const all = (await answer.json()) as readonly { readonly queryId: string; readonly query: string }[];
  const found = all.filter(({ query }) => query.startsWith('CREATE TABLE') && query.includes(text));
  return Promise.all(
    found.map(async ({ queryId }) => {
      const { session } = (await (await fetch(`${url}/v1/query/${queryId}`, { headers })).json()) as {
        readonly session: Record<string, unknown>;
      };
      return { user: session['user'], source: session['source'], tags: session['clientTags'] };
    }),
  );
};

describeWithTrino('exports for the owner of a mapping', () => {
  const newRequest = (sql: string) => ({
    ...{ sql, columns: ['who'], catalog: null, scratchDirectory: folder, destination: s3Destination(folder) },
  });

  it('run as that user, with the tags of the job', async () => {
    const trino = await openTrino({ impersonation: true });
    const request = { ...newRequest('SELECT current_user AS who'), owner: 'Zoë', tags: ['instance:7', 'user:bob'] };
    const ended = ok(await finish(trino.engine, request));
    expect(ended).toMatchObject({ state: 'finished', storedFiles: [{ rows: 1 }] });
    expect(
      await trino.sql(`SELECT "user", source FROM system.runtime.queries WHERE query_id = '${ended.queryId}'`),
    ).toEqual([['Zoë', 'rowgraph']]);
    expect(await recorded(request.destination.prefix.slice(0, -1))).toEqual([
      { user: 'Zoë', source: 'rowgraph', tags: ['instance:7', 'user:bob'] },
    ]);
  });

  it('can be cancelled by the configured user', async () => {
    const trino = await openTrino({ impersonation: true });
    await createSlowTable(trino);
    const request = { ...newRequest(`SELECT n AS who FROM ${SLOW_TABLE}`), owner: 'zoe' };
    const begun = ok(await trino.engine.submitExport(request));
    if (begun.state !== 'running') throw new Error('it has ended');
    let { nextUri } = begun;
    const untilState = (wanted: string) =>
      waitFor(`the query is ${wanted}`, async () => {
        const state = await trino.sql(`SELECT state FROM system.runtime.queries WHERE query_id = '${begun.queryId}'`);
        if (state[0]?.[0] === wanted) return true;
        const polled = wanted === 'RUNNING' ? ok(await trino.engine.pollExport(nextUri, request)) : begun;
        if (polled.state === 'running') ({ nextUri } = polled);
        return false;
      });
    await untilState('RUNNING');
    ok(await trino.engine.cancelExport(nextUri));
    await untilState('FAILED');
  });

  it('are rejected where the job has no owner', async () => {
    const { engine } = await openTrino({ impersonation: true });
    expect(expectLeft(await engine.submitExport({ ...newRequest('SELECT 1 AS who'), owner: null }))).toMatchObject({
      kind: 'query_failed',
      canRetry: false,
      message: expect.stringContaining('does not name the owner of its mapping') as string,
    });
  });

  describe('a whole system', () => {
    let system: RunningSystem | undefined;
    afterAll(() => system?.close());

    (tlsUrl === '' || user === '' ? it.skip : it)(
      'name the instance, its owner, and the owner of the mapping',
      async () => {
        const s3 = s3OfTest();
        if (s3 === null) throw new Error('S3_ENDPOINT is missing.');
        const passwordFile = join(folder, 'password');
        await writeFile(passwordFile, password);
        system = await startRunningSystem(undefined, {
          ...{ ROWGRAPH_OBJECT_STORE: 's3', ROWGRAPH_S3_BUCKET: s3.bucket, ROWGRAPH_S3_PREFIX: folder.slice(1) },
          ...{ ROWGRAPH_S3_ENDPOINT: s3.endpoint, ROWGRAPH_S3_PATH_STYLE: 'on', ...s3.credentials },
          ...{ ROWGRAPH_QUERY_ENGINE: 'trino', ROWGRAPH_TRINO_IMPERSONATION: 'on' },
          ...{ ROWGRAPH_TRINO_URL: tlsUrl, ROWGRAPH_TRINO_USER: user, ROWGRAPH_TRINO_PASSWORD_FILE: passwordFile },
          ROWGRAPH_TRINO_EXPORT_SCHEMA: 'hive.rowgraph_exports',
          NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
        });
        const sql = 'SELECT nationkey, name FROM tpch.tiny.nation';
        const mapping = await createMapping(system.as('ada'), {
          name: 'Nations',
          node_definitions: [
            {
              ...{ label: 'Nation', sql, primary_key: { name: 'nationkey', type: 'INT64' } },
              properties: [{ name: 'name', type: 'STRING' }],
            },
          ],
          edge_definitions: [],
        });
        const id = await createInstance(system.as('bob'), mapping);
        const bob = system.as('bob');
        await waitFor(
          'the instance is running or failed',
          async () => /^(running|failed)$/.test((await findInstance(bob, id)).status),
          180_000,
        );
        await untilRunning(bob, id);
        expect(await recorded(folder.slice(1))).toEqual([
          {
            ...{ user: 'ada', source: 'rowgraph' },
            tags: expect.arrayContaining([`instance:${id}`, 'user:bob']) as unknown,
          },
        ]);
      },
    );
  });
});

(tlsUrl === '' || user === '' ? describe.skip : describe)('authentication by password', () => {
  it('uses the current password of the file', async () => {
    const passwordFile = join(folder, 'replaced');
    await writeFile(passwordFile, 'wrong');
    const client = new TrinoClient(trinoSettings({ url: tlsUrl, user, passwordFile }));
    expect(expectLeft(await client.run(WHO))).toMatchObject({
      kind: 'query_failed',
      canRetry: false,
      message: expect.stringMatching(/^Trino denies access \(401\)/) as string,
    });
    await writeFile(passwordFile, `${password}\n`);
    expect(ok(await client.run(WHO)).rows).toEqual([[user]]);
  });
});

(tlsUrl === '' || keyFile === '' ? describe.skip : describe)('authentication by JWT', () => {
  it('uses the current token of the file', async () => {
    const key = Buffer.from(await readFile(keyFile, 'utf8'), 'base64');
    const token = (expires: string): Promise<string> =>
      new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject(user).setExpirationTime(expires).sign(key);
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, await token('10 minutes ago'));
    const client = new TrinoClient(trinoSettings({ url: tlsUrl, user, tokenFile }));
    expect(expectLeft(await client.run(WHO)).message).toMatch(/^Trino denies access \(401\)/);
    await writeFile(tokenFile, await token('10 minutes'));
    expect(ok(await client.run(WHO)).rows).toEqual([[user]]);
  });
});
