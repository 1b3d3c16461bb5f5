import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { serveMetrics } from '../../../adapters/http/kit/http-server';
import { measuredCatchUp, measuredEventStore, measureRequests } from '../../../adapters/metrics/measured-ports';
import { createMetrics, type Measures } from '../../../adapters/metrics/metrics';
import { systemClock } from '../../../adapters/system/system-clock';
import { type Position } from '../../../domain/kernel/event';
import { createCatchUp } from '../../../projections/catch-up';
import { appendEvents, mappingCreated } from '../../projections/sample-events';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';

const measures: Measures = {
  projection_lag_seconds: { instances: 3.5 },
  parked_events: { instances: 2, processes: 0 },
  process_commands: { CreatePod: 2 },
  process_commands_stuck: 0,
  process_command_oldest_seconds: 1.5,
  process_timers: 4,
  process_timers_overdue: 0,
  instances: { running: 1, failed: 0 },
  snapshots: { ready: 1 },
  export_jobs: { pending: 5 },
  pods: { running: 1 },
  pods_missing: 1,
  pods_orphaned: null,
  job_last_success_timestamp_seconds: { lifecycle: 1000 },
  job_last_run_failed: { lifecycle: 0, reconciliation: 1 },
  seal_timestamp_seconds: { '3fd2': 1764356400.5 },
  verification_differences: 2,
};

const quiet = { resends: 0, reconnections: 0 };
const written = { failures: () => ({}), freeBytes: () => Promise.resolve(4096) };

describe('the metrics', () => {
  it('report the current state of the system', async () => {
    const { text, contentType } = await createMetrics(() => Promise.resolve(measures), quiet, written).render();
    expect(contentType).toContain('text/plain');
    for (const line of [
      'rowgraph_up 1',
      'rowgraph_event_store_up 1',
      'rowgraph_projection_lag_seconds{projection="instances"} 3.5',
      'rowgraph_parked_events{reader="instances"} 2',
      'rowgraph_process_commands{command="CreatePod"} 2',
      'rowgraph_instances{status="running"} 1',
      'rowgraph_instances{status="failed"} 0',
      'rowgraph_verification_differences 2',
      'rowgraph_seal_timestamp_seconds{hash="3fd2"} 1764356400.5',
      'rowgraph_export_jobs{status="pending"} 5',
      'rowgraph_pods_missing 1',
      'rowgraph_job_last_success_timestamp_seconds{job="lifecycle"} 1000',
      'rowgraph_job_last_run_failed{job="reconciliation"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('report the free space of the data folder also while the database is unavailable, and omit it if unknown', async () => {
    let free: number | null = 4096;
    const metrics = createMetrics(() => Promise.reject(new Error('away')), quiet, {
      ...written,
      freeBytes: () => Promise.resolve(free),
    });
    expect((await metrics.render()).text.split('\n')).toContain('rowgraph_data_free_bytes 4096');
    free = null;
    expect((await metrics.render()).text).not.toMatch(/^rowgraph_data_free_bytes/m);
  });

  it('omit the lag of the readers while the log is unavailable, and report the rest', async () => {
    const { text } = await createMetrics(
      () => Promise.resolve({ ...measures, projection_lag_seconds: null }),
      quiet,
      written,
    ).render();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining(['rowgraph_up 1', 'rowgraph_event_store_up 0', 'rowgraph_instances{status="running"} 1']),
    );
    expect(text).not.toContain('rowgraph_projection_lag_seconds{');
  });

  it('omit what they cannot read while the database is unavailable', async () => {
    let isAway = false;
    const metrics = createMetrics(
      () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(measures)),
      quiet,
      { ...written, failures: () => ({ database: 'SQLSTATE 53100 (the disk is full)' }) },
    );
    await metrics.render();
    isAway = true;
    const { text } = await metrics.render();
    expect(text).toContain('rowgraph_up 0');
    expect(text).toContain('rowgraph_last_write_failed{store="database"} 1');
    expect(text).toContain('rowgraph_last_write_failed{store="disk"} 0');
    expect(text).not.toContain('rowgraph_instances{');
  });

  it('count appends and events by kind, and revision conflicts', async () => {
    const metrics = createMetrics(() => Promise.resolve(measures), quiet, written);
    const store = measuredEventStore(createInMemoryEventStore(systemClock), metrics);
    await appendEvents(store, 'mapping-1', [mappingCreated(1)]);
    await store.append('mapping-1', 'no_stream', [
      { id: '1', type: 'X', schemaVersion: 1, data: {}, metadata: {} as never },
    ]);
    const { text } = await metrics.render();
    expect(text).toContain('rowgraph_appends_total{stream="mapping",outcome="written"} 1');
    expect(text).toContain('rowgraph_appends_total{stream="mapping",outcome="wrong_expected_revision"} 1');
    expect(text).toContain('rowgraph_events_total{type="MappingCreated"} 1');
  });

  it('measure how long requests wait for the read models', async () => {
    const metrics = createMetrics(() => Promise.resolve(measures), quiet, written);
    const catchUp = measuredCatchUp(createCatchUp(), metrics);
    const waited = catchUp.waitFor('7' as Position, 60_000);
    catchUp.advance('7' as Position);
    expect(await waited).toBe(true);
    expect((await metrics.render()).text).toContain('rowgraph_catch_up_duration_seconds_count 1');
  });

  it('count requests, and are served next to the API', async () => {
    const metrics = createMetrics(() => Promise.resolve(measures), quiet, written);
    const api = measureRequests('internal', (_request, response) => response.writeHead(404).end(), metrics);
    const server = await new Promise<Server>((resolve) => {
      const listening = createServer(serveMetrics(api, metrics)).listen(0, '127.0.0.1', () => resolve(listening));
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await fetch(`${origin}/api/x`)).status).toBe(404);
    const scraped = await fetch(`${origin}/metrics`);
    expect(scraped.status).toBe(200);
    expect(await scraped.text()).toContain('rowgraph_http_requests_total{api="internal",method="GET",status="404"} 1');
    server.closeAllConnections();
    server.close();
  });
});
