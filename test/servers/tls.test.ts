import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type Either, isLeft } from 'fp-ts/Either';
import { type ReadError } from '../../domain/ports/event-store';
import { newEvents, succeeded } from '../contracts/event-store/event-samples';
import { describeWithEventStore } from './support/event-store-command';
import {
  ADMINISTRATOR,
  connectionStringOf,
  type EventStoreServer,
  startEventStoreServer,
} from './support/event-store-server';
import { readLog } from './support/load';
import { CATEGORY, openStore } from './support/open-store';
import { createServerCertificates } from './support/server-certificates';

jest.setTimeout(120_000);

/** With characters that must be encoded in a URL. */
const PASSWORD = 'p@ss:w/o?r#d %25';
const USER = { name: 'rowgraph', password: PASSWORD };
const TIMEOUT_MS = 3_000;

describeWithEventStore('a server that requires authentication', () => {
  let server: EventStoreServer;
  beforeAll(async () => {
    server = await startEventStoreServer({ tls: true });
    await createUser(server, USER);
  });
  afterAll(() => server.stop());

  const as = (user: { readonly name: string; readonly password: string } | null, certificates = server.certificates) =>
    openStore(
      { connectionString: connectionStringOf(`127.0.0.1:${server.port}`, certificates, user) },
      { timeoutMs: TIMEOUT_MS },
    );
  /** The message of a failed call. */
  const wordsOf = (outcome: Either<ReadError, unknown>): string =>
    isLeft(outcome) ? outcome.left.reason : 'no failure';
  const refusal = async (opened: ReturnType<typeof openStore>): Promise<string> => {
    const words = wordsOf(await opened.store.head());
    const appended = await opened.store.append(`${CATEGORY}-refused`, 0, newEvents(1));
    await opened.close();
    expect(appended).toMatchObject({ left: { kind: 'unavailable' } });
    expect(JSON.stringify([words, appended])).not.toContain(PASSWORD);
    return words;
  };

  it('rejects missing and wrong passwords with that reason', async () => {
    expect(await refusal(as(null))).toMatch(/EventStoreDB.*(right|user)/);
    expect(await refusal(as({ name: 'admin', password: PASSWORD }))).toMatch(/EventStoreDB.*user or the password/);
    expect(await refusal(as({ name: 'stranger', password: PASSWORD }))).toMatch(/EventStoreDB.*user or the password/);
  });

  it('reports a missing right, and serves the user completely after it was granted', async () => {
    const opened = as(USER);
    expect(wordsOf(await opened.store.head())).toMatch(/EventStoreDB.*lacks the right/);

    const administrator = EventStoreDBClient.connectionString(server.connectionString);
    await administrator.setStreamMetadata('$all', { acl: { readRoles: ['$admins', USER.name] } });
    const events = newEvents(2);
    succeeded(await opened.identity.ensure('a log of a user'));
    succeeded(await opened.store.append(`${CATEGORY}-1`, 'no_stream', events));
    expect((await readLog(opened.store)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(succeeded(await opened.store.readStream(`${CATEGORY}-missing`))).toEqual([]);
    await administrator.deleteStream(`${CATEGORY}-1`);
    expect(await opened.store.readStream(`${CATEGORY}-1`)).toMatchObject({ left: { kind: 'broken_stream' } });
    await administrator.dispose();
    await opened.close();
  });

  it('a certificate of another authority is rejected with that reason', async () => {
    const others = await createServerCertificates(join(server.certificates!.authorities, '..', 'others'));
    expect(await refusal(as(ADMINISTRATOR, others))).toMatch(/EventStoreDB.*certificate/);
  });

  it('is not called when the file of the authority is missing', () => {
    const missing = { ...server.certificates!, authorityFile: '/nowhere/ca.crt' };
    expect(() => as(ADMINISTRATOR, missing)).toThrow(/\/nowhere\/ca\.crt.*event store/);
  });
});

const createUser = async (
  server: EventStoreServer,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<void> => {
  const body = JSON.stringify({ loginName: name, fullName: name, password, groups: [] });
  const ca = await readFile(server.certificates!.authorityFile);
  const status = await new Promise((resolve, reject) => {
    request(`${server.httpUrl}/users`, {
      method: 'POST',
      ca,
      auth: `${ADMINISTRATOR.name}:${ADMINISTRATOR.password}`,
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    })
      .on('response', (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end(body);
  });
  if (status !== 201) throw new Error(`Creating the user ${name} was answered ${String(status)}.`);
};
