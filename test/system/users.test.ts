import { type ApiClient } from '../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../support/in-process-api';

let system: InProcessApi;
let olivia: ApiClient;
let anna: ApiClient;
beforeAll(async () => {
  system = await startInhabitedApi();
  olivia = system.as('olivia');
  anna = system.as('anna');
  await olivia.call('createUser', { body: { username: 'anna', role: 'admin' } });
});
afterAll(() => system.close());

const put = (path: string, body: object) => ({ method: 'PUT', path: `/api/users/${path}`, body });

describe('changing users', () => {
  it('a change returns the whole record, and absent fields are kept', async () => {
    const body = { display_name: 'Bob the Builder', email: 'bob@example.org', role: 'ops' };
    const { data } = await anna.call('updateUser', { id: 'bob', body });
    expect(data).toMatchObject({
      username: 'bob',
      display_name: 'Bob the Builder',
      email: 'bob@example.org',
      role: 'analyst',
      is_active: true,
      role_changed_at: null,
      role_changed_by: null,
    });
    expect(data.updated_at > data.created_at).toBe(true);
    const cleared = await anna.call('updateUser', { id: 'bob', body: { email: null } });
    expect(cleared.data).toMatchObject({ display_name: 'Bob the Builder', email: null });
    expect((await anna.call('getUser', { id: 'bob' })).data).toEqual(cleared.data);
  });

  it('a role applies from the next request, with the user who assigned it', async () => {
    const { data } = await anna.call('changeUserRole', { id: 'bob', body: { role: 'admin' } });
    expect(data).toMatchObject({ role: 'admin', role_changed_by: 'anna', role_changed_at: data.updated_at });
    await system.as('bob').call('listUsers');
    await anna.call('changeUserRole', { id: 'bob', body: { role: 'analyst' } });
    expect(await system.as('bob').refused('GET', '/api/users')).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('a deactivated user is rejected until reactivated', async () => {
    const { data } = await anna.call('deactivateUser', { id: 'bob' });
    expect(data).toMatchObject({ username: 'bob', is_active: false });
    expect((await anna.call('deactivateUser', { id: 'bob' })).data).toEqual(data);
    expect(await system.as('bob').refused('GET', '/api/mappings')).toMatchObject({
      status: 401,
      details: { reason: 'user_disabled' },
    });
    await anna.call('updateUser', { id: 'bob', body: { is_active: true } });
    await system.as('bob').call('listMappings');
  });

  it.each(['system', 'system:lifecycle'])('the name %s is reserved', async (username) => {
    expect(await anna.refused('POST', '/api/users', { body: { username } })).toMatchObject({
      status: 400,
      details: { field: 'username' },
    });
    await anna.call('createUser', { body: { username: username.replace('system', 'systems') } });
  });

  it.each([
    ['role', put('ada/role', { role: 'king' })],
    ['role', put('ada/role', {})],
    ['is_active', put('ada', { is_active: 'no' })],
    ['display_name', put('ada', { display_name: ' ' })],
    ['email', put('nobody', { email: 7 })],
  ])('a wrong %s is rejected', async (field, { method, path, body }) => {
    expect(await anna.refused(method, path, { body })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      details: { field },
    });
  });

  it('an unknown user cannot be changed', async () => {
    const missing = { status: 404, code: 'RESOURCE_NOT_FOUND', details: { username: 'nobody' } };
    expect(await anna.refused('DELETE', '/api/users/nobody')).toMatchObject(missing);
    expect(await anna.refused('PUT', '/api/users/nobody', { body: {} })).toMatchObject(missing);
    expect(await anna.refused('PUT', '/api/users/nobody/role', { body: { role: 'admin' } })).toMatchObject(missing);
  });

  it('is forbidden for analysts', async () => {
    for (const [method, path] of [
      ['PUT', '/api/users/ada'],
      ['PUT', '/api/users/ada/role'],
      ['DELETE', '/api/users/nobody'],
    ] as const) {
      expect(await system.as('ada').refused(method, path, { body: {} })).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        details: { required_role: 'admin', your_role: 'analyst' },
      });
    }
  });
});

describe('ops users', () => {
  it('are created and changed by ops only', async () => {
    const forbidden = { status: 403, code: 'FORBIDDEN', details: { required_role: 'ops', your_role: 'admin' } };
    expect(await anna.refused('PUT', '/api/users/ada/role', { body: { role: 'ops' } })).toMatchObject(forbidden);
    expect(await anna.refused('PUT', '/api/users/olivia', { body: { email: null } })).toMatchObject(forbidden);
    expect(await anna.refused('PUT', '/api/users/olivia/role', { body: { role: 'admin' } })).toMatchObject(forbidden);
    expect(await anna.refused('DELETE', '/api/users/olivia')).toMatchObject(forbidden);
  });

  it('cannot all be demoted at the same time: one remains', async () => {
    const names = ['olaf', 'olga', 'otto'];
    for (const username of names) await olivia.call('createUser', { body: { username, role: 'ops' } });
    const all = [...names, 'olivia'];
    const answers = await Promise.all(all.map((name) => olivia.send('DELETE', `/api/users/${name}`)));
    const refused = answers.filter(({ status }) => status !== 200);
    // The requesting user may be deactivated before the last request is handled.
    for (const { status } of refused) expect([401, 409]).toContain(status);
    const { data } = await anna.call('listUsers');
    expect(data.filter(({ role, is_active }) => role === 'ops' && is_active).length).toBeGreaterThan(0);
  });
});
