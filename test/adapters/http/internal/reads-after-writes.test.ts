import { changeInstance } from '../../../../commands/instance/change-instance';
import { requestContext } from '../../../../commands/kit/command-context';
import { GIB } from '../../../../domain/instance';
import { expectRight } from '../../../support/given-when-then';
import { waitFor } from '../../../support/wait-for';
import { type Answered, type InternalSystem, startInternalSystem } from './internal-system';

let system: InternalSystem;
beforeAll(async () => {
  system = await startInternalSystem('control-plane');
});
afterAll(() => system.close());

const positionOf = ({ headers }: Answered): number => Number(headers.get('X-Event-Position'));

const startedInstance = async (): Promise<number> => {
  const { instanceId } = await system.newInstance();
  const context = requestContext(system.ports.ids, { username: 'w1', role: 'system' }, 'r1');
  const start = { type: 'StartInstance', memoryBytes: 4 * GIB, snapshotBytes: 1 } as const;
  expectRight(await changeInstance(system.ports, instanceId, start, context));
  return instanceId;
};

it('a report is answered after reads show it, with its position', async () => {
  for (let time = 1; time <= 10; time++) {
    const id = await startedInstance();
    const before = Number(expectRight(await system.ports.store.head()));
    const answer = await system.asPod(id, 'PUT', `/instances/${id}/status`, { status: 'running' });
    expect(await system.instance(id)).toMatchObject({ status: 'running' });
    expect(answer.headers.has('X-Consistency')).toBe(false);
    expect(positionOf(answer)).toBeGreaterThan(before);
  }
});

it('a report and a claim are answered as pending when the read models do not advance', async () => {
  const id = await startedInstance();
  const pending = async () =>
    (await system.db('export_jobs').where('status', 'pending').count<{ count: number }[]>({ count: '*' }))[0]?.count ??
    0;
  await waitFor('jobs are pending', async () => (await pending()) > 0);
  const answers = await system.db.transaction(async (blocked) => {
    await blocked.raw('LOCK TABLE instances, export_jobs IN SHARE MODE');
    return Promise.all([
      system.asPod(id, 'PUT', `/instances/${id}/status`, { status: 'running' }),
      system.asWorker('POST', '/export-jobs/claim', { worker_id: 'early', limit: 1 }),
    ]);
  });
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('X-Consistency')).toBe('pending');
  }
});

it('every answer has a position, and a read waits for the position it names', async () => {
  const unknown = await system.asWorker('GET', '/nothing');
  const refused = await system.asPod(1, 'GET', '/export-jobs/pollable');
  for (const answer of [unknown, refused]) expect(positionOf(answer)).toBeGreaterThan(0);
  const read = (position: string) =>
    system.asWorker('GET', '/export-jobs/pollable', undefined, { 'X-Min-Position': position });
  expect(await read(String(positionOf(unknown)))).toMatchObject({ status: 200 });
  expect(await read('soon')).toMatchObject({ status: 400, error: { details: { field: 'X-Min-Position' } } });
  expect(await read('9000000000000000000')).toMatchObject({ status: 503 });
});
