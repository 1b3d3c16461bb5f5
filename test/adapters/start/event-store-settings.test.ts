import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { readSettings } from '../../../adapters/start/settings';
import { expectRight } from '../../support/given-when-then';

const eventStore = (environment: Readonly<Record<string, string>>) =>
  expectRight(readSettings({ ROWGRAPH_EVENT_STORE: 'eventstoredb', ...environment })).eventStore;

const complaint = (environment: Readonly<Record<string, string>>): string => {
  const settings = readSettings({ ROWGRAPH_EVENT_STORE: 'eventstoredb', ...environment });
  return isLeft(settings) ? settings.left.join('\n') : '';
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rowgraph-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

test('the log is in PostgreSQL by default', () => {
  expect(expectRight(readSettings({})).eventStore).toEqual({ kind: 'postgres', timeoutMs: 8_000 });
});

test('the log in an EventStoreDB has defaults for all but the address, which is shown without the password', () => {
  const ROWGRAPH_EVENT_STORE_URL = 'esdb+discover://ada:s%40cret@a.example:2113,10.0.0.1?tls=false';
  expect(eventStore({ ROWGRAPH_EVENT_STORE_URL })).toEqual({
    kind: 'eventstoredb',
    connectionString: ROWGRAPH_EVENT_STORE_URL,
    address: 'esdb+discover://a.example:2113,10.0.0.1:2113',
    prefix: '',
    timeoutMs: 8_000,
    maxAppendBytes: 1_048_576,
  });
  expect(
    eventStore({
      ROWGRAPH_EVENT_STORE_URL,
      ROWGRAPH_EVENT_STORE_PREFIX: 'team.a_',
      ROWGRAPH_EVENT_STORE_PATIENCE: '2s',
      ROWGRAPH_EVENT_STORE_MAX_APPEND: '16777216',
    }),
  ).toMatchObject({ prefix: 'team.a_', timeoutMs: 2_000, maxAppendBytes: 16_777_216 });
});

test('the password may be read from a file, without its line end', () => {
  expect(
    eventStore({
      ROWGRAPH_EVENT_STORE_URL: `esdb://ada@host?tlsCaFile=${file('ca.crt', '-----BEGIN CERTIFICATE-----')}`,
      ROWGRAPH_EVENT_STORE_PASSWORD_FILE: file('password', 'p@ss:w/rd$&%\n'),
    }),
  ).toMatchObject({
    connectionString: expect.stringContaining('esdb://ada:p%40ss%3Aw%2Frd%24%26%25@host?') as unknown,
  });
});

describe('invalid settings of the event store are rejected in one line with the setting and without the password:', () => {
  it.each([
    [{}, 'ROWGRAPH_EVENT_STORE_URL is required'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'http://hunter2@host' }, 'is not of the form esdb://'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2?@host:2113' }, 'is not of the form esdb://'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@h@st:2113' }, 'is not of the form esdb://'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2%@host:2113' }, 'not percent-encoded'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@host:99999' }, '"host:99999" is not a host'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@a:1,b:c' }, '"b:c" is not a host'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@host?tls' }, 'The option "tls" has no value'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@host?tls=no' }, 'must be true or false'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@host?tlsCaFile=/no/such.crt' }, '(tlsCaFile) cannot be read: '],
    [
      { ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@host', ROWGRAPH_EVENT_STORE_PASSWORD_FILE: '/no/such' },
      'needs a user without a password',
    ],
    [
      { ROWGRAPH_EVENT_STORE_URL: 'esdb://ada@host', ROWGRAPH_EVENT_STORE_PASSWORD_FILE: '/no/such' },
      'The file with the password of the event store (ROWGRAPH_EVENT_STORE_PASSWORD_FILE) cannot be read: ',
    ],
    [
      { ROWGRAPH_EVENT_STORE_URL: 'esdb://host', ROWGRAPH_EVENT_STORE_PREFIX: 'a-b' },
      'ROWGRAPH_EVENT_STORE_PREFIX may have letters',
    ],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://host', ROWGRAPH_EVENT_STORE_PATIENCE: '90s' }, 'must be from 1s to 60s'],
    [{ ROWGRAPH_EVENT_STORE_URL: 'esdb://host', ROWGRAPH_EVENT_STORE_MAX_APPEND: '16777217' }, 'to 16777216'],
    [
      { ROWGRAPH_EVENT_STORE: 'postgres', ROWGRAPH_EVENT_STORE_URL: 'esdb://hunter2' },
      'while the event store is postgres',
    ],
  ])('%j', (environment, words) => {
    const said = complaint(environment);
    expect(said).toContain(words);
    expect(said).toMatch(/event store|EVENT_STORE/);
    expect(said).not.toMatch(/\n|hunter2/);
  });

  it('a file without a certificate, or without a password', () => {
    const empty = file('empty', '\n');
    expect(complaint({ ROWGRAPH_EVENT_STORE_URL: `esdb://host?tlsCaFile=${empty}` })).toContain('holds no certificate');
    expect(
      complaint({ ROWGRAPH_EVENT_STORE_URL: 'esdb://ada@host', ROWGRAPH_EVENT_STORE_PASSWORD_FILE: empty }),
    ).toContain('is empty');
  });
});
