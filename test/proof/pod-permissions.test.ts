import { GRAPHDB_A_ENDPOINTS } from '../../adapters/contracts/graph-pod/endpoints';
import { type AnyEndpoint } from '../../adapters/http/kit';
import { createInstance, createMapping, untilRunning } from '../support/instances';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';
import { type CALLERS } from './capabilities';

jest.setTimeout(2 * TIMEOUT_MS);

const USERNAMES = {
  anonymous: null,
  unknown: 'eve',
  disabled: 'dora',
  owner: 'ada',
  named: 'carl',
  other: 'bob',
  admin: 'anna',
  ops: 'olivia',
} as const;
type Kind = (typeof CALLERS)[number] | 'named';
const KINDS = Object.keys(USERNAMES) as readonly Kind[];
type Row = Readonly<Record<Kind, string>>;

const strangers = { anonymous: 'UNAUTHORIZED', unknown: 'UNAUTHORIZED', disabled: 'UNAUTHORIZED' };
const everyUser: Row = { ...strangers, owner: 'yes', named: 'yes', other: 'yes', admin: 'yes', ops: 'yes' };
const allCallers: Row = { ...everyUser, anonymous: 'yes', unknown: 'yes', disabled: 'yes' };
const hidden = 'RESOURCE_NOT_FOUND';
const keepers: Row = { ...everyUser, named: 'PERMISSION_DENIED', other: 'PERMISSION_DENIED' };

/**
 * The outcome for each caller by access mode of the instance: for reads, and for what only owner, admins and ops may
 * do.
 */
const MATRIX: Readonly<Record<string, { readonly anybody: Row; readonly user: Row }>> = {
  everyone: { anybody: allCallers, user: keepers },
  users: { anybody: { ...everyUser, other: hidden }, user: { ...keepers, other: hidden } },
  owner: {
    anybody: { ...everyUser, named: hidden, other: hidden },
    user: { ...keepers, named: hidden, other: hidden },
  },
};
/** Behind an edge that identifies callers, every caller needs an identity. */
const BEHIND_AN_EDGE = { ...MATRIX, everyone: { anybody: everyUser, user: keepers } };

const EDGE_TOKEN = 'the edge in front of the proof';
const endpoints: Readonly<Record<string, AnyEndpoint>> = GRAPHDB_A_ENDPOINTS;
const BODIES: Readonly<Record<string, object>> = {
  query: { query: 'RETURN 1 AS one' },
  subgraph: { cypher: 'MATCH (p:Person) RETURN p LIMIT 1' },
  neighbours: { nodes: ['Person:1'] },
};

let system: RunningSystem;
let instance: number;
let url: string;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse, { ROWGRAPH_REFUSED_CALLS_PER_MINUTE: '1000' });
  const olivia = system.as('olivia');
  for (const username of ['carl', 'dora']) await olivia.call('createUser', { body: { username } });
  await olivia.call('createUser', { body: { username: 'anna', role: 'admin' } });
  await olivia.call('deactivateUser', { id: 'dora' });
  instance = await createInstance(system.as('ada'), await createMapping(system.as('ada'), townMapping));
  ({ instance_url: url } = await untilRunning(system.as('ada'), instance));
});
afterAll(() => system.close());

const outcome = async (name: string, endpoint: AnyEndpoint, username: string | null): Promise<string> => {
  const path = endpoint.path.replaceAll(/\{\w+\}/g, 'pagerank');
  const body = endpoint.body === undefined ? undefined : (BODIES[name] ?? { node_label: 'Person' });
  const headers = { 'X-Edge-Token': EDGE_TOKEN };
  const answer = await system.as(username).send(endpoint.method, url + path, { body, headers });
  const { error } = (answer.body ?? {}) as { readonly error?: { readonly code: string; readonly details?: object } };
  if (answer.status === 404) return error?.details !== undefined && 'url_slug' in error.details ? error.code : 'yes';
  return answer.status === 401 || answer.status === 403 ? String(error?.code) : 'yes';
};

const modes = Object.keys(MATRIX);
const provesTheMatrix = (matrix: typeof MATRIX) =>
  describe.each(modes)('an instance for %s', (mode) => {
    beforeAll(async () => {
      const body = { mode, users: ['carl'] };
      const headers = { 'X-Edge-Token': EDGE_TOKEN };
      await system.as('ada').call('updateInstanceAccess', { id: instance, body, headers });
    });

    it.each(Object.entries(endpoints))('%s', async (name, endpoint) => {
      const found: Record<string, string> = {};
      for (const kind of KINDS) found[kind] = await outcome(name, endpoint, USERNAMES[kind]);
      expect(found).toEqual(matrix[mode]?.[endpoint.access === 'anybody' ? 'anybody' : 'user']);
    });
  });

describe('the permission matrix of pods on one machine without an edge token', () => {
  provesTheMatrix(MATRIX);
});

describe('the permission matrix of pods behind an edge', () => {
  beforeAll(async () => {
    await system.stop();
    await system.start({ ROWGRAPH_EDGE_TOKEN: EDGE_TOKEN });
    const headers = { 'X-Edge-Token': EDGE_TOKEN };
    await waitFor('the pod has loaded the graph again', async () => {
      const { data } = await system.as('olivia').call('getInstance', { id: instance, headers });
      return data.status === 'running';
    });
  });
  provesTheMatrix(BEHIND_AN_EDGE);
});
