import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signServiceToken } from '../../../../adapters/http/internal/service-token';
import { comparePositions, START } from '../../../../domain/kernel/event';
import { type AuditedEvent } from '../../../../queries/views/audit';
import { type ApiClient, apiClient, type CallInput } from '../../../support/api-client';
import { commandLine } from '../../../support/command-line';
import { expectRight } from '../../../support/given-when-then';
import { type InProcessApi, startInProcessApi } from '../../../support/in-process-api';
import { createInstance, createMapping } from '../../../support/instances';
import { withLogOf } from '../../../support/log-of';
import { townMapping } from '../../../support/sample-mappings';
import { waitFor } from '../../../support/wait-for';

let api: InProcessApi;
let home: string;
let olivia: ApiClient;
let anna: ApiClient;
let ada: ApiClient;
let bob: ApiClient;
let mapping: number;
let instance: number;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'rowgraph-audit-'));
  api = await startInProcessApi();
  await api.as(null).call('bootstrap', { body: { username: 'olivia' } });
  [olivia, anna, ada, bob] = [api.as('olivia'), api.as('anna'), api.as('ada'), api.as('bob')];
  for (const [username, role] of Object.entries({ anna: 'admin', ada: 'analyst', bob: 'analyst' })) {
    await olivia.call('createUser', { body: { username, role } });
  }
  mapping = await createMapping(ada, townMapping);
  instance = await createInstance(ada, mapping, 'Town graph');
  await ada.call('updateInstanceAccess', { id: instance, body: { mode: 'owner' } });
  await olivia.call('setMaintenanceConfig', { body: { enabled: false } });
  await waitFor('the processes wait for a worker', async () => {
    const types = (await wholeLog()).map(({ type }) => type);
    const count = (wanted: string) => types.filter((type) => type === wanted).length;
    return count('ExportJobPlanned') > 0 && count('ProcessCommandDone') === count('ProcessCommandQueued');
  });
});
afterAll(async () => {
  await api.close();
  await rm(home, { recursive: true });
});

const list = async (query: CallInput['query'] = {}): Promise<readonly AuditedEvent[]> =>
  (await olivia.call('listAuditEvents', { query })).data;

/** All rows of a query, from pages of a few rows. */
const listAll = async (query: CallInput['query'] = {}, limit = 7): Promise<readonly AuditedEvent[]> => {
  const { data, meta } = await olivia.call('listAuditEvents', { query: { ...query, limit } });
  const { next_cursor: cursor = null } = meta;
  return cursor === null ? data : [...data, ...(await listAll({ ...query, cursor }, limit))];
};

const wholeLog = () => withLogOf(api, async (store) => expectRight(await store.readAll(START, 1000)).events);

test('the trail has one row for every event of the log, newest first, and stays stable while events arrive', async () => {
  const read = async () => [await wholeLog(), await olivia.call('listAuditEvents', { query: { limit: 5 } })] as const;
  let [log, first] = await read();
  await waitFor('the trail is at the end of the log', async () => {
    [log, first] = await read();
    return first.data[0]?.event_id === log.at(-1)?.id;
  });
  await ada.call('updateInstance', { id: instance, body: { name: 'Renamed' } });
  const rest = await olivia.call('listAuditEvents', { query: { limit: 100, cursor: first.meta.next_cursor ?? '' } });
  const rows = [...first.data, ...rest.data];
  expect(rows.map(({ event_id }) => event_id)).toEqual(log.map(({ id }) => id).toReversed());
  expect(rest.meta.next_cursor).toBeNull();
  const { metadata, ...last } = log.find(({ type }) => type === 'MaintenanceConfigured')!;
  expect(rows.find(({ event_id }) => event_id === last.id)).toEqual({
    ...{ event_id: last.id, type: last.type, resource_type: 'config', resource_id: 'cluster' },
    ...{ revision: last.revision, position: last.position, actor: 'olivia', role: 'ops' },
    ...{ occurred_at: metadata.occurredAt, recorded_at: last.recordedAt, command_id: metadata.commandId },
    ...{ correlation_id: metadata.correlationId, causation_id: metadata.causationId },
  });
});

test('each filter, alone and with all others, gives the rows that have its value', async () => {
  const all = await listAll({}, 100);
  const row = all.find(({ type }) => type === 'InstanceRequested')!;
  const { actor, role, type, resource_type, resource_id, correlation_id, recorded_at } = row;
  const filters = { actor, role, type, resource_type, resource_id, correlation_id };
  for (const [name, value] of Object.entries(filters)) {
    const wanted = all.filter((one) => Object.entries(one).some(([field, given]) => field === name && given === value));
    expect(await listAll({ [name]: value })).toEqual(wanted);
  }
  expect(await list({ ...filters, from: recorded_at, to: recorded_at })).toEqual([row]);
  expect(await listAll({ from: recorded_at })).toEqual(all.filter((one) => one.recorded_at >= recorded_at));
  expect(await listAll({ to: recorded_at })).toEqual(all.filter((one) => one.recorded_at <= recorded_at));
  const positions = all.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((a, b) => comparePositions(b as typeof START, a as typeof START)));
});

test('unknown filters and values are refused', async () => {
  for (const query of [
    ...['colour=red', 'role=boss', 'type=Nothing', 'resource_type=cat', 'from=yesterday', 'to=2026-02-30T00:00:00Z'],
    ...['limit=0', 'limit=101', 'cursor=x', 'cursor=1-99999999999999999999', 'include=secrets', 'offset=1'],
  ]) {
    expect(await olivia.refused('GET', `/api/audit/events?${query}`)).toMatchObject({ status: 400 });
  }
});

test('include=data adds the data from the log, without the hashes of tokens', async () => {
  await ada.call('issueAccessToken', { id: instance, body: { expires_in: 'PT1H' } });
  const rows = await list({ resource_type: 'instance', include: 'data' });
  const requested = rows.find(({ type }) => type === 'InstanceRequested');
  expect(requested?.data).toMatchObject({ instanceId: instance, ownerUsername: 'ada' });
  const issued = rows.find(({ type }) => type === 'AccessTokenIssued');
  expect(issued).toMatchObject({ resource_id: String(instance), data: { username: 'ada' } });
  expect(issued?.data).not.toHaveProperty('hash');
});

test('the events of a resource are for those who may see it', async () => {
  const ofInstance = await ada.call('listInstanceAudit', { id: instance });
  expect(ofInstance.data).toEqual(await list({ resource_type: 'instance', resource_id: String(instance) }));
  expect((await anna.call('listInstanceAudit', { id: instance })).data).toEqual(ofInstance.data);
  expect(await bob.refused('GET', `/api/instances/${instance}/audit`)).toMatchObject({ status: 404 });
  expect((await bob.call('listMappingAudit', { id: mapping })).data[0]).toMatchObject({ resource_type: 'mapping' });
  expect((await ada.call('listUserAudit', { id: 'ada' })).data).toMatchObject([{ type: 'UserCreated' }]);
  expect(await bob.refused('GET', '/api/users/ada/audit')).toMatchObject({ status: 403 });
  expect(await anna.refused('GET', '/api/users/unknown/audit')).toMatchObject({ status: 404 });
  expect((await olivia.call('listConfigAudit')).data).toMatchObject([{ resource_type: 'config' }]);
  expect(await anna.refused('GET', '/api/config/audit')).toMatchObject({ status: 403 });
  expect(await ada.refused('GET', '/api/audit/events')).toMatchObject({ status: 403 });
});

test('the events of a snapshot and of an export job are for those who may see them', async () => {
  const [requested] = await list({ type: 'SnapshotRequested', include: 'data' });
  const snapshot = Number(requested?.resource_id);
  const [planned] = await list({ type: 'ExportJobPlanned' });
  const job = Number(planned?.resource_id);
  expect((await bob.call('listSnapshotAudit', { id: snapshot })).data.length).toBeGreaterThan(0);
  expect((await ada.call('listExportJobAudit', { id: job })).data).toMatchObject([{ type: 'ExportJobPlanned' }]);
  expect(await bob.refused('GET', `/api/export-jobs/${job}/audit`)).toMatchObject({ status: 404 });
  expect(await olivia.refused('GET', '/api/export-jobs/99/audit')).toMatchObject({ status: 404 });
});

test('the events of a deleted mapping are for admins and ops only', async () => {
  const deleted = await createMapping(ada, { ...townMapping, name: 'Short-lived' });
  await ada.call('deleteMapping', { id: deleted });
  const { data } = await anna.call('listMappingAudit', { id: deleted });
  expect(data.map(({ type }) => type)).toEqual(['MappingDeleted', 'MappingCreated']);
  expect(await ada.refused('GET', `/api/mappings/${deleted}/audit`)).toMatchObject({ status: 404 });
});

test('the command line prints a page, and all events as CSV and NDJSON', async () => {
  const rowgraph = commandLine(home);
  const environment = { ROWGRAPH_URL: api.url, ROWGRAPH_USERNAME: 'olivia' };
  for (let count = 0; count < 120; count++) {
    await ada.call('updateInstance', { id: instance, body: { name: `Graph ${count}, "the best"` } });
  }
  const all = await listAll({}, 100);
  expect(all.length).toBeGreaterThan(100);
  const page = await rowgraph(['audit', 'events', '--limit', '3', '--actor', 'ada', '--tsv'], { environment });
  expect(page.out.trim().split('\n')).toHaveLength(4);
  const ndjson = await rowgraph(['audit', 'events', '--ndjson'], { environment });
  expect(
    ndjson.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(all);
  const csv = await rowgraph(['audit', 'events', '--csv', '--data', '--type', 'InstanceDescribed'], { environment });
  const lines = csv.out.trim().split('\n');
  expect(lines[0]).toBe(`${Object.keys(all[0]!).join(',')},data`);
  expect(lines).toHaveLength(122);
  expect(lines[1]).toContain('""Graph 119, \\""the best\\""""');
  const refused = await rowgraph(['audit', 'events', '--csv', '--limit', '3'], { environment });
  expect(refused.code).toBe(2);
});

interface Cause {
  readonly type: string;
  readonly children: readonly Cause[];
}

/** The types of events on the way to each event of a type. */
const pathsTo = (type: string, { children, ...cause }: Cause, before: readonly string[] = []): readonly string[] => {
  const path = [...before, cause.type];
  return [...(cause.type === type ? [path.join(' > ')] : []), ...children.flatMap((one) => pathsTo(type, one, path))];
};

test('why an instance waits: the state, what it waits for, and the causes from the request on', async () => {
  const waiting = await createInstance(ada, mapping, 'Waiting graph');
  await waitFor('its export is planned', async () => {
    const { data } = await ada.call('explainInstance', { id: waiting });
    return pathsTo('ExportJobPlanned', data.tree).length === 2;
  });
  const { data } = await ada.call('explainInstance', { id: waiting });
  expect(data).toMatchObject({
    state: 'waiting_for_snapshot',
    waiting_for: { what: 'snapshot', resource_type: 'snapshot', until: expect.stringMatching(/Z$/) as string },
    failed_step: null,
    tree: { type: 'Request', actor: 'ada', ms_after_cause: 0 },
  });
  const start = 'Request > InstanceRequested > ProcessInputReceived > ProcessCommandQueued > SnapshotRequested';
  expect(new Set(pathsTo('ExportJobPlanned', data.tree))).toEqual(
    new Set([`${start} > ProcessInputReceived > ProcessCommandQueued > ExportJobPlanned`]),
  );
  expect(pathsTo('SlotReserved', data.tree)).toEqual(['Request > SlotReserved']);
  const environment = { ROWGRAPH_URL: api.url, ROWGRAPH_USERNAME: 'ada' };
  const printed = await commandLine(home)(['why', 'instance', 'Waiting graph'], { environment });
  expect(printed.out).toMatch(/\n {2}InstanceRequested {2}instance \d+ {2}ada {2}\+\d+ ms\n/);
  expect(printed.out).toMatch(/\nwaits for {2}snapshot \(snapshot \d+\), until 20/);
  const snapshot = data.waiting_for?.resource_id ?? '';
  expect((await ada.call('explainSnapshot', { id: snapshot })).data).toMatchObject({
    state: 'pending',
    waiting_for: { what: 'export worker', resource_type: 'export_job' },
  });
  expect(await bob.refused('GET', `/api/instances/${instance}/why`)).toMatchObject({ status: 404 });
});

test('why an instance is deleted: its end follows from its request, and nothing else is in the tree', async () => {
  const short = await createInstance(ada, mapping, 'Short-lived graph');
  await ada.call('deleteInstance', { id: short });
  const { data } = await anna.call('explainInstance', { id: short });
  expect(data).toMatchObject({ state: 'deleted', waiting_for: null, failed_step: null });
  const end = 'Request > InstanceRequested > InstanceStopping > ProcessInputReceived > ProcessCommandQueued';
  expect(pathsTo('SlotReleased', data.tree)).toEqual([`${end} > SlotReleased`]);
  expect(pathsTo('InstanceDeleted', data.tree)).toEqual([`${end} > InstanceDeleted`]);
  expect(pathsTo('InstanceRequested', data.tree)).toHaveLength(1);
  expect(await ada.refused('GET', `/api/instances/${short}/why`)).toMatchObject({ status: 404 });
});

test('why an instance failed remains known when it is deleted, with its snapshot and job', async () => {
  const failing = await createInstance(ada, mapping, 'Failing graph');
  const waitsFor = async (operation: 'explainInstance' | 'explainSnapshot', id: number | string) =>
    (await ada.call(operation, { id })).data.waiting_for;
  let snapshot = '';
  await waitFor('its snapshot is requested', async () => {
    const awaited = await waitsFor('explainInstance', failing);
    snapshot = awaited?.resource_type === 'snapshot' ? awaited.resource_id : '';
    return snapshot !== '';
  });
  const token = signServiceToken(api.internalSecret, { kind: 'worker' }, 60);
  const worker = apiClient(api.internalUrl, null);
  const headers = { Authorization: `Bearer ${token}`, 'X-Component': 'worker' };
  const internal = (method: string, path: string, body: object) =>
    worker.send(method, `/api/internal/${path}`, { body, headers });
  const jobs: string[] = [];
  await waitFor('its jobs have failed', async () => {
    await internal('POST', 'export-jobs/claim', { worker_id: 'w', limit: 100 });
    const awaited = await waitsFor('explainSnapshot', snapshot);
    if (awaited?.resource_type !== 'export_job') return jobs.length > 0;
    const failure = { status: 'failed', error_message: 'no such table' };
    const { status } = await internal('PATCH', `export-jobs/${awaited.resource_id}`, failure);
    if (status === 200) jobs.push(awaited.resource_id);
    return false;
  });
  const [job = ''] = jobs;
  const failed_step = { resource_type: 'export_job', resource_id: job, message: 'no such table' };
  const why = async () => ({
    instance: (await anna.call('explainInstance', { id: failing })).data,
    snapshot: (await anna.call('explainSnapshot', { id: snapshot })).data,
    job: (await anna.call('explainExportJob', { id: job })).data,
  });
  await waitFor('the instance has failed', async () => (await why()).instance.state === 'failed');
  const before = await why();
  expect(before.instance).toMatchObject({ state: 'failed', failed_step });
  await ada.call('deleteInstance', { id: failing });
  await waitFor('its snapshot is deleted', async () => (await why()).job.state === 'deleted');
  const after = await why();
  for (const kind of ['instance', 'snapshot', 'job'] as const) {
    const { failed_step } = before[kind];
    expect({ kind, ...after[kind] }).toMatchObject({ kind, state: 'deleted', waiting_for: null, failed_step });
  }
});
