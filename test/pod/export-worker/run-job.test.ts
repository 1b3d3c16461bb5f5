import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { left } from 'fp-ts/Either';
import { FilesystemObjectStore } from '../../../adapters/filesystem/filesystem-object-store';
import { type QueryEngine } from '../../../domain/ports/query-engine';
import { type JobReport } from '../../../pod/export-worker/export-jobs-api';
import { type JobDependencies, runJob } from '../../../pod/export-worker/run-job';
import { type WorkerJob } from '../../../queries/views/export-job';
import { diskFullError } from '../../support/full-disk';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-job-'));
});
afterEach(() => rm(folder, { recursive: true }));

const job = {
  ...{ id: 1, snapshot_id: 1, attempt: 1, job_type: 'node', entity_name: 'Customer', next_uri: null, poll_count: 0 },
  ...{ sql: 'SELECT 1 AS id', column_names: ['id'], queryengine_catalog: null, storage_path: 'ada/1/' },
} as unknown as WorkerJob;

/** The last report of a job whose export is submitted like this. */
const reportOf = async (submitExport: QueryEngine['submitExport']): Promise<JobReport | undefined> => {
  const reports: JobReport[] = [];
  const controlPlane = {
    report: (_: number, report: JobReport) => {
      reports.push(report);
      return Promise.resolve('accepted' as const);
    },
  };
  const deps = {
    controlPlane,
    watch: { lossOf: () => new Promise(() => undefined) },
    engine: { submitExport },
    store: new FilesystemObjectStore(join(folder, 'objects')),
    scratchDirectory: join(folder, 'scratch'),
  } as unknown as JobDependencies;
  await runJob(deps, job, new AbortController().signal);
  return reports.at(-1);
};

const failOnFullDisk = async (): Promise<never> => {
  throw await diskFullError();
};

const message = (text: string): string => expect.stringContaining(text) as string;

test('a full disk of the engine is reported as a fault of the machine, which another attempt may not have', async () => {
  const failure = left({ kind: 'disk_full', message: 'no space' } as const);
  expect(await reportOf(() => Promise.resolve(failure))).toEqual({
    ...{ attempt: 1, status: 'failed', error_code: 'STARTUP_FAILED', can_retry: true },
    error_message: 'node Customer: no space',
  });
});

test('a full disk of the worker is reported with its folder and its free space', async () => {
  expect(await reportOf(failOnFullDisk)).toMatchObject({
    ...{ status: 'failed', error_code: 'STARTUP_FAILED', can_retry: true },
    error_message: expect.stringMatching(
      /^node Customer: no space left on device .*: scratch has \d+ bytes free/,
    ) as string,
  });
});

test('other failures have no code of their own', async () => {
  const failure = left({ kind: 'query_failed', message: 'ENOSPC is not a number', canRetry: false } as const);
  const report = await reportOf(() => Promise.resolve(failure));
  expect(report).toMatchObject({ status: 'failed', error_message: message('ENOSPC is not'), can_retry: false });
  expect(report).not.toHaveProperty('error_code');
});
