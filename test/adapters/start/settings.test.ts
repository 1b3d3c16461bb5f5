import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { internalUrl, readSettings, withPorts } from '../../../adapters/start/settings';
import { expectRight } from '../../support/given-when-then';

/** The errors in settings. */
const complaints = (environment: Readonly<Record<string, string>>): readonly string[] => {
  const settings = readSettings(environment);
  return isLeft(settings) ? settings.left : [];
};

test('the variables of the command line do not prevent the server from starting in the same shell', () => {
  const variables = { ROWGRAPH_URL: 'http://elsewhere', ROWGRAPH_API_KEY: 'key', ROWGRAPH_USERNAME: 'ada' };
  expect(complaints({ ...variables, ROWGRAPH_KOLOUR: 'red' })).toEqual([
    'ROWGRAPH_KOLOUR is not a setting of rowgraph; see docs/settings.md',
  ]);
});

test('a misspelt setting is reported with the one that was probably meant', () => {
  expect(
    complaints({ ROWGRAPH_DATADIR: '/srv', ROWGRAPH_WAREHOSE_DIRR: '/srv', ROWGRAPH_IDENTITIY_MODE: 'oidc' }),
  ).toEqual([
    'ROWGRAPH_DATADIR is not a setting of rowgraph; did you mean ROWGRAPH_DATA_DIR? See docs/settings.md',
    'ROWGRAPH_WAREHOSE_DIRR is not a setting of rowgraph; did you mean ROWGRAPH_WAREHOUSE_DIR? See docs/settings.md',
    'ROWGRAPH_IDENTITIY_MODE is not a setting of rowgraph; did you mean ROWGRAPH_IDENTITY_MODE? See docs/settings.md',
  ]);
});

test('all invalid settings are reported at once, each once', () => {
  const reported = complaints({
    ROWGRAPH_PORT: 'http',
    ROWGRAPH_KOLOUR: 'red',
    ROWGRAPH_HOST: '0.0.0.0',
    ROWGRAPH_INTERNAL_HOST: '0.0.0.0',
    ROWGRAPH_INTERNAL_SECRET: 'short',
    ROWGRAPH_ALLOWED_CATALOGS: 'bank,',
    ROWGRAPH_JOB_INTERVALS: 'lifecycle=soon,tidying=2s',
    ROWGRAPH_EVENT_STORE_URL: 'esdb://host',
    ROWGRAPH_EVENT_STORE_PREFIX: 'a',
  });
  const name = (line: string): string => line.split(' ')[0] ?? '';
  expect(reported.map(name).sort()).toEqual(
    [
      ...['ALLOWED_CATALOGS', 'BASE_URL', 'EDGE_TOKEN', 'EVENT_STORE_PREFIX', 'EVENT_STORE_URL', 'INTERNAL_SECRET'],
      ...['JOB_INTERVALS', 'JOB_INTERVALS', 'KOLOUR', 'PORT'],
    ].map((short) => `ROWGRAPH_${short}`),
  );
  expect(reported.find((line) => line.startsWith('ROWGRAPH_EDGE_TOKEN'))).toContain('is required');
});

test('the first user needs the bootstrap token with API keys and where other machines reach the system', () => {
  const needsToken = (more: Readonly<Record<string, string>>): boolean =>
    expectRight(readSettings(more)).needsBootstrapToken;
  const edge = { ROWGRAPH_EDGE_TOKEN: 'the token of an edge' };
  expect(needsToken({})).toBe(false);
  expect(needsToken({ ...edge, ROWGRAPH_HOST: '::1' })).toBe(false);
  expect(needsToken({ ROWGRAPH_BASE_URL: 'http://[::1]:8080' })).toBe(false);
  expect(needsToken({ ROWGRAPH_IDENTITY_MODE: 'api-key' })).toBe(true);
  expect(needsToken({ ...edge, ROWGRAPH_HOST: '10.0.0.7' })).toBe(true);
  expect(needsToken({ ROWGRAPH_BASE_URL: 'https://rowgraph.example.org' })).toBe(true);
});

test('an invalid setting causes no further errors about settings that depend on it', () => {
  expect(complaints({ ROWGRAPH_HOST: '10.0.0.7', ROWGRAPH_IDENTITY_MODE: 'keys' })).toHaveLength(1);
  expect(complaints({ ROWGRAPH_EVENT_STORE: 'esdb', ROWGRAPH_EVENT_STORE_URL: 'esdb://host' })).toHaveLength(1);
  expect(complaints({ ROWGRAPH_HOST: '10.0.0.7', ROWGRAPH_EDGE_TOKEN: 'short' })).toHaveLength(1);
  expect(complaints({ ROWGRAPH_QUERY_ENGINE: 'presto', ROWGRAPH_TRINO_URL: 'http://trino' })).toHaveLength(1);
  expect(complaints({ ROWGRAPH_OBJECT_STORE: 'minio', ROWGRAPH_S3_BUCKET: 'graphs' })).toHaveLength(1);
});

test('settings of a server that another setting does not choose are rejected', () => {
  expect(complaints({ ROWGRAPH_TRINO_URL: 'http://trino', ROWGRAPH_S3_BUCKET: 'graphs' })).toEqual([
    'ROWGRAPH_TRINO_URL has no effect without ROWGRAPH_QUERY_ENGINE=trino; remove it, or choose that engine',
    'ROWGRAPH_S3_BUCKET has no effect without ROWGRAPH_OBJECT_STORE=s3; remove it, or choose that store',
  ]);
});

test('all contradicting settings are reported at once', () => {
  const settings = { ROWGRAPH_HOST: '0.0.0.0', ROWGRAPH_PORT: '8081', ROWGRAPH_EVENT_STORE: 'eventstoredb' };
  expect(complaints(settings)).toEqual([
    expect.stringContaining('ROWGRAPH_EDGE_TOKEN is required'),
    expect.stringContaining('ROWGRAPH_BASE_URL is required'),
    expect.stringContaining('ROWGRAPH_PORT and ROWGRAPH_INTERNAL_PORT are both 8081'),
    expect.stringContaining('ROWGRAPH_EVENT_STORE_URL is required'),
  ]);
  expect(complaints({ ROWGRAPH_PORT: '8081', ROWGRAPH_INTERNAL_HOST: '127.0.0.2' })).toEqual([]);
  expect(complaints({ ROWGRAPH_PORT: '0', ROWGRAPH_INTERNAL_PORT: '0' })).toEqual([]);
});

test.each(['0.0.0.0', '::'])('listening on %s requires the address at which clients reach the API', (ROWGRAPH_HOST) => {
  const settings = { ROWGRAPH_HOST, ROWGRAPH_EDGE_TOKEN: 'the secret of the edge' };
  expect(complaints(settings)).toEqual([
    expect.stringContaining(`ROWGRAPH_BASE_URL is required when ROWGRAPH_HOST is ${ROWGRAPH_HOST}`),
  ]);
  expect(
    expectRight(readSettings({ ...settings, ROWGRAPH_BASE_URL: 'http://graphs.example.org' })).instanceBaseUrl,
  ).toBe('http://graphs.example.org/graphs');
});

test.each([
  [{ ROWGRAPH_PORT: '0' }, 'http://127.0.0.1:4000', 'http://127.0.0.1:4000/graphs'],
  [{ ROWGRAPH_PORT: '0', ROWGRAPH_BASE_URL: 'http://a' }, 'http://a', 'http://a/graphs'],
  [{ ROWGRAPH_PORT: '0', ROWGRAPH_INSTANCE_BASE_URL: 'http://b' }, 'http://127.0.0.1:4000', 'http://b'],
])('the ports for %j have the API at %s and instances at %s', (environment, baseUrl, instanceBaseUrl) =>
  expect(withPorts(expectRight(readSettings(environment)), 4000, 4001)).toMatchObject({
    ...{ port: 4000, internalPort: 4001, baseUrl, instanceBaseUrl },
  }),
);

describe('the internal API', () => {
  const ROWGRAPH_INTERNAL_SECRET = 'a secret of the thirty-two letters';

  it.each([
    [{}, 'http://127.0.0.1:8081'],
    [{ ROWGRAPH_INTERNAL_HOST: '::1', ROWGRAPH_INTERNAL_PORT: '9000' }, 'http://[::1]:9000'],
    [{ ROWGRAPH_INTERNAL_HOST: '10.1.2.3', ROWGRAPH_INTERNAL_SECRET }, 'http://10.1.2.3:8081'],
    [{ ROWGRAPH_INTERNAL_HOST: '0.0.0.0', ROWGRAPH_INTERNAL_SECRET }, 'http://127.0.0.1:8081'],
    [{ ROWGRAPH_INTERNAL_HOST: '::', ROWGRAPH_INTERNAL_SECRET }, 'http://[::1]:8081'],
    [{ ROWGRAPH_INTERNAL_URL: 'http://rowgraph-internal.graphs:8081/' }, 'http://rowgraph-internal.graphs:8081'],
  ])('the configuration %j gives workers and pods the address %s', (environment, url) =>
    expect(internalUrl(expectRight(readSettings(environment)))).toBe(url),
  );

  it('is not opened to other machines without a configured secret', () => {
    expect(complaints({ ROWGRAPH_INTERNAL_HOST: '0.0.0.0' })).toEqual([
      expect.stringContaining('ROWGRAPH_INTERNAL_SECRET is required when ROWGRAPH_INTERNAL_HOST is 0.0.0.0'),
    ]);
  });
});

describe('an external database', () => {
  const ROWGRAPH_DATABASE_URL = 'postgres://rowgraph@db.example.org/rowgraph';

  it.each(['require', 'prefer', 'no-verify', 'verify-ca'])('is rejected with sslmode=%s', (mode) => {
    expect(complaints({ ROWGRAPH_DATABASE_URL: `${ROWGRAPH_DATABASE_URL}?sslmode=${mode}` })).toEqual([
      `ROWGRAPH_DATABASE_URL has sslmode=${mode}; use verify-full, which verifies the server, or disable (no TLS)`,
    ]);
  });

  it('requires readable certificates, and a URL for a password file', () => {
    const settings = { ROWGRAPH_DATABASE_URL: `${ROWGRAPH_DATABASE_URL}?sslmode=verify-full&sslrootcert=/none` };
    expect(complaints(settings)).toEqual([
      expect.stringContaining('ROWGRAPH_DATABASE_URL cannot be used: Error: ENOENT'),
    ]);
    expect(complaints({ ROWGRAPH_DATABASE_PASSWORD_FILE: '/run/password' })).toEqual([
      expect.stringContaining('ROWGRAPH_DATABASE_PASSWORD_FILE has no effect without ROWGRAPH_DATABASE_URL'),
    ]);
  });
});

describe('an identity provider', () => {
  const mode = { ROWGRAPH_IDENTITY_MODE: 'oidc' };
  const whole = { ...mode, ROWGRAPH_OIDC_ISSUER: 'https://login.example.org/a', ROWGRAPH_OIDC_AUDIENCE: 'rowgraph' };

  it('is configured by issuer and audience', () => {
    expect(complaints(mode)).toEqual([
      expect.stringContaining('ROWGRAPH_OIDC_ISSUER is required'),
      expect.stringContaining('ROWGRAPH_OIDC_AUDIENCE is required'),
    ]);
    expect(expectRight(readSettings(whole)).oidc).toEqual({
      issuer: 'https://login.example.org/a',
      audience: 'rowgraph',
      usernameClaim: 'preferred_username',
      rolesClaim: null,
      provisions: true,
      login: null,
    });
    expect(complaints({ ...whole, ROWGRAPH_HOST: '10.0.0.7' })).toEqual([]);
  });

  it('is ignored in another mode, and excludes an edge that names users', () => {
    for (const ROWGRAPH_IDENTITY_MODE of ['trusted-edge', 'api-key']) {
      expect(
        complaints({
          ROWGRAPH_IDENTITY_MODE,
          ROWGRAPH_OIDC_ISSUER: 'https://a.example',
          ROWGRAPH_OIDC_PROVISION: 'off',
        }),
      ).toEqual([
        expect.stringContaining('ROWGRAPH_OIDC_ISSUER has no effect without ROWGRAPH_IDENTITY_MODE=oidc'),
        expect.stringContaining('ROWGRAPH_OIDC_PROVISION has no effect without ROWGRAPH_IDENTITY_MODE=oidc'),
      ]);
    }
    expect(complaints({ ...whole, ROWGRAPH_EDGE_TOKEN: 'the token of an edge' })).toEqual([
      expect.stringContaining('ROWGRAPH_EDGE_TOKEN has no effect with ROWGRAPH_IDENTITY_MODE=oidc'),
    ]);
  });

  it.each([
    ['http://login.example.org', 1],
    ['https://login.example.org?realm=a', 1],
    ['login.example.org', 1],
    ['http://127.0.0.1:8080/realms/a', 0],
    ['http://localhost:8080/', 0],
    ['https://tenant.example.org/', 0],
  ])('an issuer at %s has %d errors', (issuer, faults) =>
    expect(complaints({ ...whole, ROWGRAPH_OIDC_ISSUER: issuer })).toHaveLength(faults),
  );
});

describe('pods on Kubernetes', () => {
  const kubernetes = { ROWGRAPH_POD_RUNTIME: 'kubernetes', ROWGRAPH_POD_IMAGE: 'registry.example:5000/rowgraph:1' };
  const file = (content: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'patch-')), 'patch.yaml');
    writeFileSync(path, content);
    return path;
  };
  const settingsOf = (environment: Readonly<Record<string, string>>) =>
    expectRight(readSettings({ ...kubernetes, ...environment })).kubernetes;

  it('use one image or one for each kind, and a patch from a file', () => {
    const image = kubernetes.ROWGRAPH_POD_IMAGE;
    expect(settingsOf({})).toEqual({
      namespace: null,
      image: { graphdb_a: image, graphdb_b: image },
      patch: {},
      lostNodeMs: 60_000,
      requestsPerSecond: 20,
    });
    const ROWGRAPH_POD_PATCH_FILE = file('spec: {nodeSelector: {disk: fast}}');
    const others = {
      ROWGRAPH_KUBERNETES_NAMESPACE: 'graphs',
      ROWGRAPH_POD_LOST_NODE_TIMEOUT: '5s',
      ROWGRAPH_KUBERNETES_REQUEST_RATE: '50',
    };
    expect(settingsOf({ ...others, ROWGRAPH_POD_IMAGE: 'graphdb_a=duckdb:1', ROWGRAPH_POD_PATCH_FILE })).toEqual({
      namespace: 'graphs',
      image: { graphdb_a: 'duckdb:1' },
      patch: { spec: { nodeSelector: { disk: 'fast' } } },
      lostNodeMs: 5_000,
      requestsPerSecond: 50,
    });
  });

  it.each([
    ['an image', { ...kubernetes, ROWGRAPH_POD_IMAGE: 'graphdb_c=duckdb' }, 'ROWGRAPH_POD_IMAGE must be an image'],
    ['no image', { ROWGRAPH_POD_RUNTIME: 'kubernetes' }, 'ROWGRAPH_POD_IMAGE is required'],
    ['another runtime', { ...kubernetes, ROWGRAPH_POD_RUNTIME: 'process' }, 'ROWGRAPH_POD_IMAGE has no effect'],
    ['a patch', { ...kubernetes, ROWGRAPH_POD_PATCH_FILE: file('- 1') }, 'must contain an object'],
    ['no patch', { ...kubernetes, ROWGRAPH_POD_PATCH_FILE: '/nowhere' }, 'cannot be read'],
  ])('are rejected for %s', (_, environment, complaint) => {
    expect(complaints(environment)).toEqual([expect.stringContaining(complaint)]);
  });
});
