import { type InProcessApi, startInProcessApi } from '../support/in-process-api';

const OBSTACLE = 'graphdb_b cannot run on this machine: a test says so; use graphdb_a';

let api: InProcessApi;
beforeAll(async () => {
  api = await startInProcessApi(undefined, { ROWGRAPH_POD_RUNTIME: 'process' }, (kind) =>
    kind === 'graphdb_a' ? null : OBSTACLE,
  );
  await api.as(null).send('POST', '/api/users/bootstrap', { body: { username: 'ada' } });
});
afterAll(() => api.close());

describe('on a machine that cannot run a kind', () => {
  const request = (kind: string): ReturnType<ReturnType<InProcessApi['as']>['refused']> =>
    api.as('ada').refused('POST', '/api/instances', { body: { mapping_id: 7, name: 'Town', wrapper_type: kind } });

  it('an instance of it is rejected with the reason and the alternative', async () => {
    expect(await request('graphdb_b')).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      message: `wrapper_type ${OBSTACLE}.`,
      details: { wrapper_type: OBSTACLE, errors: [{ field: 'wrapper_type', message: OBSTACLE }] },
    });
  });

  it('one of the other kind is accepted', async () => {
    expect(await request('graphdb_a')).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
  });
});
