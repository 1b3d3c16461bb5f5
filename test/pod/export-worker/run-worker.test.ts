import { right } from 'fp-ts/Either';
import { pino } from 'pino';
import { FeedSignal } from '../../../adapters/system/feed-signal';
import { type ExportJobsApi } from '../../../pod/export-worker/export-jobs-api';
import { runWorker } from '../../../pod/export-worker/run-worker';
import { createJobWatch } from '../../../pod/export-worker/watch-jobs';
import { type WorkerJob } from '../../../queries/views/export-job';
import { waitFor } from '../../support/wait-for';

const jobNamed = (id: number) => ({ id, job_type: 'node', entity_name: 'Person', attempt: 1 }) as WorkerJob;
const log = pino({ level: 'silent' });

it('a worker claims again after a request and after a job that threw', async () => {
  const answers = [
    () => Promise.reject(new Error('a bug')),
    () => Promise.resolve(right([jobNamed(1)])),
    () => Promise.resolve(right([jobNamed(2)])),
  ];
  const notifications = new FeedSignal();
  const begun: string[] = [];
  const controlPlane = {
    claim: () => (answers.shift() ?? (() => Promise.resolve(right([]))))(),
    pollable: () => Promise.resolve(right([])),
  } as unknown as ExportJobsApi;
  const metrics = {
    countRequest: () => undefined,
    jobStarted: () => {
      begun.push('a job');
      throw new Error('a bug');
    },
  };
  const [claiming, working] = [new AbortController(), new AbortController()];
  const dependencies = { controlPlane, concurrency: 1, notifications, metrics, log };
  const running = runWorker(dependencies as unknown as Parameters<typeof runWorker>[0], {
    claiming: claiming.signal,
    working: working.signal,
  });
  await waitFor('both jobs have begun', () => {
    notifications.notify();
    return begun.length === 2;
  });
  claiming.abort();
  await running;
});

it('the watch on jobs continues after a request that threw', async () => {
  let requests = 0;
  const watch = createJobWatch({
    statusesOf: () => (requests++ === 0 ? Promise.reject(new Error('a bug')) : Promise.resolve(right([]))),
  });
  const over = new AbortController();
  expect(await watch.lossOf(jobNamed(1), over.signal)).toBe('refused');
  over.abort();
  expect(requests).toBe(2);
});
