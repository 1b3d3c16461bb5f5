import { trinoSettings } from '../../../adapters/contracts/trino-settings';
import { expectLeft, expectRight } from '../../support/given-when-then';

const https = { ROWGRAPH_TRINO_URL: 'https://trino', ROWGRAPH_TRINO_EXPORT_SCHEMA: 'hive.rowgraph' };
const http = { ...https, ROWGRAPH_TRINO_URL: 'http://trino' };

it.each([['ROWGRAPH_TRINO_PASSWORD_FILE'], ['ROWGRAPH_TRINO_TOKEN_FILE']])('%s requires https', (name) => {
  expect(expectLeft(trinoSettings({ ...http, [name]: '/secret' }))).toEqual([
    'ROWGRAPH_TRINO_URL must begin with https:// when a password or token is sent',
  ]);
  expectRight(trinoSettings({ ...https, [name]: '/secret' }));
});

it('a password and a token exclude each other', () => {
  const both = { ROWGRAPH_TRINO_PASSWORD_FILE: '/secret', ROWGRAPH_TRINO_TOKEN_FILE: '/token' };
  expect(expectLeft(trinoSettings({ ...https, ...both }))).toEqual([expect.stringContaining('exclude each other')]);
});

it('exports may run as the owners of their mappings', () => {
  const on = { ...http, ROWGRAPH_TRINO_IMPERSONATION: 'on' } as const;
  expect(expectRight(trinoSettings(on))).toMatchObject({ impersonation: true, user: 'rowgraph' });
});
