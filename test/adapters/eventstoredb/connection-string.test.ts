import { left, right } from 'fp-ts/Either';
import { parseConnectionString, withoutPassword } from '../../../adapters/eventstoredb/connection-string';
import { createEventStoreDbEventStore } from '../../../adapters/eventstoredb/eventstoredb-event-store';

it.each([
  ['esdb://localhost', { nodes: [{ address: 'localhost', port: 2113 }], discover: false, tls: true }],
  [
    'esdb://ada:p%40ss%3Aw%2Frd@a:1,b.example:2,10.0.0.3:3?tls=true&tlsCaFile=%2Fetc%2Fmy%20ca.crt&keepAliveInterval=10000',
    {
      nodes: [
        { address: 'a', port: 1 },
        { address: 'b.example', port: 2 },
        { address: '10.0.0.3', port: 3 },
      ],
      discover: false,
      credentials: { username: 'ada', password: 'p@ss:w/rd' },
      tls: true,
      tlsCaFile: '/etc/my ca.crt',
      keepAliveInterval: 10_000,
    },
  ],
  [
    'esdb+discover://cluster.example:2113/?tls=false&nodePreference=leader&TLS_CA-File=x',
    { nodes: [{ address: 'cluster.example', port: 2113 }], discover: true, tls: false, tlsCaFile: 'x' },
  ],
])('reads %s', (text, settings) => {
  expect(parseConnectionString(text)).toEqual(right(settings));
});

it.each([
  ['localhost:2113', /of the form esdb:/],
  ['esdb://ada:sec%ret@localhost', /percent-encoded/],
  ['esdb://ada:secret@local host', /"local host" is not a host/],
  ['esdb://ada:secret@localhost:port', /"localhost:port" is not a host/],
  ['esdb://ada:sec@ret@localhost', /of the form esdb:/],
  ['esdb://ada:secret@localhost?tls=maybe', /"tls" is "maybe"/],
  ['esdb://ada:secret@localhost?tlsVerifyCert=false', /tlsCaFile/],
  ['esdb://ada:secret@localhost?keepAliveInterval=soon', /number of milliseconds/],
  ['esdb://ada:secret@localhost?tls', /no value/],
  ['esdb://ada:secret@localhost?tlz=true', /"tlz" is unknown/],
])('rejects %s with a message without the password', (text, words) => {
  const parsed = parseConnectionString(text);

  expect(parsed).toEqual(left(expect.stringMatching(words)));
  expect(JSON.stringify(parsed)).not.toMatch(/sec(ret|%ret|@ret)/);
  expect(withoutPassword(text)).not.toMatch(/sec(ret|%ret|@ret)/);
});

it('describes the address for logs', () => {
  expect(withoutPassword('esdb://ada:secret@a:1,b:2?tls=true')).toBe('esdb://ada:***@a:1,b:2');
  expect(withoutPassword('esdb://a:1?tls=false')).toBe('esdb://a:1');
});

it.each([
  [
    'esdb://ada:secret@a?tlsCaFile=/not/there.crt',
    /file \/not\/there\.crt, which tlsCaFile of the event store's URL names/,
  ],
  [
    `esdb://ada:secret@a?tlsCaFile=${encodeURIComponent(__filename)}`,
    /which tlsCaFile of the event store's URL names, is not a PEM file/,
  ],
  ['esdb://ada:secret@a b', /URL of the event store cannot be used/],
])('rejects %s with the reason', (connectionString, words) => {
  const create = (): unknown =>
    createEventStoreDbEventStore({
      connectionString,
      prefix: '',
      categories: ['a'],
      timeoutMs: 100,
      maxAppendBytes: 1,
    });

  expect(create).toThrow(words);
  expect(create).not.toThrow(/secret/);
});
