import { createWorkerMetrics } from '../../../pod/export-worker/worker-metrics';
import { createInstance, createMapping, untilRunning } from '../../support/instances';
import { alertRules, dashboardQueries } from '../../support/monitoring-files';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const metrics = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  beforeAll(() => {
    system = shared();
  });

  const scrape = async (): Promise<readonly string[]> => {
    const answer = await fetch(`http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT'] ?? ''}/metrics`);
    expect(answer.status).toBe(200);
    return (await answer.text()).split('\n');
  };

  it('the system exports metrics of its work and its lag', async () => {
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
      'rowgraph_pods_missing 0',
      'rowgraph_pods_orphaned 0',
      'rowgraph_job_last_run_failed{job="lifecycle"} 0',
      'rowgraph_exports_total{outcome="completed"} 2',
      'rowgraph_commands_total{type="RequestInstance",outcome="done"} 1',
      ...['snapshot', 'pod', 'load', 'total'].map(
        (phase) => `rowgraph_instance_startup_seconds_count{phase="${phase}"} 1`,
      ),
      'rowgraph_pool_connections{pool="commands",state="waiting"} 0',
    ];
    await waitFor(
      'all metrics are reported',
      async () => {
        const lines = await scrape();
        return expected.every((line) => lines.includes(line));
      },
      TIMEOUT_MS,
    );
    const publicAnswers = 'rowgraph_http_requests_total{api="public",method="POST",status="201"}';
    expect((await scrape()).some((line) => line.startsWith(publicAnswers))).toBe(true);
    expect((await fetch(`${system.url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${system.url}/ready`)).json()).toMatchObject({ status: 'ready' });
  });

  it('every metric of an alert or the dashboard exists', async () => {
    const rendered = [...(await scrape()), ...(await createWorkerMetrics().render()).text.split('\n')];
    const known = new Set(rendered.map((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? ''));
    const queries = [...alertRules().map(({ expr }) => expr), ...dashboardQueries()];
    const named = queries.flatMap((query) => query.match(/\b(rowgraph|process|nodejs)_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(40);
    const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });
};
