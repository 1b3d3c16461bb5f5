import { type ApiClient } from '../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../support/in-process-api';
import { createMapping } from '../support/instances';
import { fillWarehouse, townMapping } from '../support/sample-mappings';

let system: InProcessApi;
let ops: ApiClient;
let ada: ApiClient;
let mapping: number;
beforeAll(async () => {
  system = await startInhabitedApi(fillWarehouse);
  ops = system.as('olivia');
  ada = system.as('ada');
  mapping = await createMapping(ada, townMapping);
});
afterAll(() => system.close());

const invalid = (field: string) => ({ status: 400, code: 'VALIDATION_FAILED', details: { field } });
const instance = (changes: object = {}) => ({
  mapping_id: mapping,
  name: 'graph',
  wrapper_type: 'graphdb_a',
  ...changes,
});

describe('the configuration', () => {
  it('has defaults before it is set', async () => {
    expect((await ops.call('getLifecycleConfig')).data).toEqual({
      mapping: { default_ttl: null, default_inactivity: 'P30D', max_ttl: 'P365D' },
      snapshot: { default_ttl: 'P7D', default_inactivity: 'P3D', max_ttl: 'P30D' },
      instance: { default_ttl: 'PT24H', default_inactivity: 'PT4H', max_ttl: 'P7D' },
    });
    expect((await ops.call('getConcurrencyConfig')).data).toEqual({ per_analyst: 5, cluster_total: 50 });
    const unset = { updated_at: null, updated_by: null };
    expect((await ops.call('getMaintenanceConfig')).data).toEqual({ enabled: false, message: '', ...unset });
    expect((await ops.call('getExportConfig')).data).toEqual({ max_duration_seconds: 3600, ...unset });
  });

  it.each(['lifecycle', 'concurrency', 'maintenance', 'export'])('%s is restricted to ops', async (section) => {
    await system.as('olivia').send('POST', '/api/users', { body: { username: 'anna', role: 'admin' } });
    for (const method of ['GET', 'PUT']) {
      expect(await system.as('anna').refused(method, `/api/config/${section}`, { body: 'no JSON' })).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        details: { required_role: 'ops', your_role: 'admin' },
      });
    }
  });

  it.each([
    ['concurrency', { per_analyst: 0, cluster_total: 5 }, 'per_analyst'],
    ['concurrency', { per_analyst: 101, cluster_total: 500 }, 'per_analyst'],
    ['concurrency', { per_analyst: 1, cluster_total: 1001 }, 'cluster_total'],
    ['concurrency', { per_analyst: 6, cluster_total: 5 }, 'per_analyst'],
    ['concurrency', { per_analyst: 5 }, 'cluster_total'],
    ['export', { max_duration_seconds: 59 }, 'max_duration_seconds'],
    ['export', { max_duration_seconds: 86_401 }, 'max_duration_seconds'],
    ['export', { max_duration_seconds: '60' }, 'max_duration_seconds'],
    ['maintenance', { enabled: 'yes' }, 'enabled'],
    ['maintenance', { message: 'why' }, 'enabled'],
    ['lifecycle', { instance: { max_ttl: null } }, 'instance.max_ttl'],
    ['lifecycle', { instance: { default_inactivity: 'P1Y' } }, 'instance.default_inactivity'],
    ['lifecycle', { instance: { default_ttl: 'P8D' } }, 'instance.default_ttl'],
    ['lifecycle', { snapshot: 7 }, 'snapshot'],
  ])('%s rejects %j', async (section, body, field) => {
    expect(await ops.refused('PUT', `/api/config/${section}`, { body })).toMatchObject(invalid(field));
  });

  it('the limit of the export time is set, or reset to an hour', async () => {
    const { data } = await ops.call('setExportConfig', { body: { max_duration_seconds: 60 } });
    expect(data).toMatchObject({ max_duration_seconds: 60, updated_by: 'olivia' });
    expect((await ops.call('getExportConfig')).data).toEqual(data);
    expect((await ops.call('setExportConfig', { body: {} })).data.max_duration_seconds).toBe(3600);
  });
});

describe('a configured value', () => {
  it('applies to the next resource', async () => {
    const body = {
      mapping: { default_ttl: 'P2D', max_ttl: 'P3D' },
      instance: { default_ttl: 'PT1H', default_inactivity: 'PT30M' },
    };
    expect((await ops.call('setLifecycleConfig', { body })).data.updated).toBe(true);
    const { data } = await ada.call('getMapping', { id: await createMapping(ada, townMapping) });
    expect(data).toMatchObject({ ttl: 'P2D', inactivity_timeout: 'P2D' });
    expect(await ada.refused('POST', '/api/mappings', { body: { ...townMapping, ttl: 'P4D' } })).toMatchObject({
      details: { field: 'ttl', requested: 'P4D', max_allowed: 'P3D' },
    });

    const limits = { per_analyst: 1, cluster_total: 1 };
    expect((await ops.call('setConcurrencyConfig', { body: limits })).data).toMatchObject(limits);
    expect((await ops.call('getConcurrencyConfig')).data).toEqual(limits);
    const created = await ada.call('createInstance', { body: instance() });
    expect(created.data).toMatchObject({ ttl: 'PT1H', inactivity_timeout: 'PT30M' });
    expect(await ada.refused('POST', '/api/instances', { body: instance() })).toMatchObject({
      code: 'CONCURRENCY_LIMIT_EXCEEDED',
      details: { current_count: 1, max_allowed: 1, limit_type: 'per_analyst' },
    });
    expect((await ada.call('getUserInstanceStatus')).data).toMatchObject({ instance_limit: 1 });
  });
});

describe('maintenance mode', () => {
  beforeAll(() => ops.call('setMaintenanceConfig', { body: { enabled: true, message: 'Back at noon.' } }));
  afterAll(() => ops.call('setMaintenanceConfig', { body: { enabled: false } }));

  it('rejects new resources after an invalid request and before a missing resource', async () => {
    for (const [path, body] of [
      ['mappings', townMapping],
      ['instances', instance()],
      ['instances', instance({ mapping_id: 999 })],
    ] as const) {
      const refusal = await ada.refused('POST', `/api/${path}`, { body });
      expect(refusal).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
      expect(refusal.message).toContain('Back at noon.');
      expect(await ada.refused('POST', `/api/${path}`, { body: {} })).toMatchObject({ status: 400 });
    }
    expect(await ops.refused('POST', '/api/users', { body: { username: 'ada' } })).toMatchObject({ status: 503 });
  });

  it('accepts reads, changes and the second bootstrap with their usual answers', async () => {
    await ada.call('listMappings');
    await ops.call('updateUser', { id: 'bob', body: { display_name: 'Bob' } });
    const body = { username: 'eve' };
    expect(await system.as(null).refused('POST', '/api/users/bootstrap', { body })).toMatchObject({ status: 409 });
    const { data } = await ops.call('getMaintenanceConfig');
    expect(data).toMatchObject({ enabled: true, message: 'Back at noon.', updated_by: 'olivia' });
  });

  it('ends, and a rejected request then succeeds with the same key', async () => {
    const keyed = { body: townMapping, headers: { 'Idempotency-Key': 'after-noon' } };
    expect((await ada.send('POST', '/api/mappings', keyed)).status).toBe(503);
    await ops.call('setMaintenanceConfig', { body: { enabled: false } });
    expect((await ada.send('POST', '/api/mappings', keyed)).status).toBe(201);
    await ops.call('setMaintenanceConfig', { body: { enabled: true } });
    expect((await ada.send('POST', '/api/mappings', keyed)).status).toBe(201);
  });
});
