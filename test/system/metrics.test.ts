import { createInstance, createMapping, untilRunning } from '../support/instances';
import { PATIENCE_MS, type RunningSystem, startRunningSystem } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(2 * PATIENCE_MS);

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
});
afterAll(() => system.close());

const scrape = async (): Promise<readonly string[]> => {
  const answer = await fetch(`http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT'] ?? ''}/metrics`);
  expect(answer.status).toBe(200);
  return (await answer.text()).split('\n');
};

it('the system tells Prometheus what it does and whether it keeps up', async () => {
  const ada = system.as('ada');
  await untilRunning(ada, await createInstance(ada, await createMapping(ada, townMapping)));
  const expected = [
    'rowgraph_up 1',
    'rowgraph_event_store_up 1',
    'rowgraph_instances{status="running"} 1',
    'rowgraph_pods{phase="ready"} 1',
    'rowgraph_export_jobs{status="completed"} 2',
    'rowgraph_events_total{type="InstanceRunning"} 1',
    'rowgraph_projection_lag_seconds{projection="instances"} 0',
    'rowgraph_projection_lag_seconds{projection="processes"} 0',
    'rowgraph_process_commands_stuck 0',
  ];
  await waitFor(
    'everything is told',
    async () => {
      const lines = await scrape();
      return expected.every((line) => lines.includes(line));
    },
    PATIENCE_MS,
  );
  const publicAnswers = 'rowgraph_http_requests_total{api="public",method="POST",status="201"}';
  expect((await scrape()).some((line) => line.startsWith(publicAnswers))).toBe(true);
  expect((await fetch(`${system.url}/metrics`)).status).toBe(404);
  expect(await (await fetch(`${system.url}/ready`)).json()).toMatchObject({ status: 'ready' });
});
