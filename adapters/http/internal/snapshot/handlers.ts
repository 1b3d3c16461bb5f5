import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type JobSubmission, submitExportJobs } from '../../../../commands/export-job/submit-export-jobs';
import { requestContext } from '../../../../commands/kit/command-context';
import { reportSnapshot } from '../../../../commands/snapshot/change-snapshot';
import { type DomainError, invalidField, notFound, unavailable } from '../../../../domain/kernel/errors';
import { listSnapshotJobs } from '../../../../queries/export-jobs';
import { type Handlers } from '../../kit';
import { type InternalDependencies } from '../internal-dependencies';
import { type Component } from '../service-token';
import { type ExportReport, type snapshotEndpoints, type SubmittedJob } from './endpoints';

const WORKER = { username: 'system:worker', role: 'system' } as const;
const SUBMITTER = { username: 'system:submitter', role: 'system' } as const;

export const snapshotHandlers = (deps: InternalDependencies): Handlers<typeof snapshotEndpoints, Component> => ({
  reportSnapshotStatus: async ({ params, body, requestId }) => {
    const report = reportOf(body);
    if (isLeft(report)) return report;
    const context = requestContext(deps.ports.ids, WORKER, requestId);
    const handled = await reportSnapshot(deps.ports, params.id, report.right, context);
    if (isLeft(handled)) return handled;
    if (body.status === 'creating') {
      const { phase, progress } = body;
      await deps.telemetry.saveSnapshotProgress(params.id, { phase, ...progress });
    }
    return right({ position: handled.right.position, body: { updated: true as const } });
  },

  submitExportJobs: async ({ params, body, requestId }) => {
    const now = deps.ports.clock.now().toISOString();
    const jobs = body.jobs.map((job) => submissionOf(job, now));
    const context = requestContext(deps.ports.ids, SUBMITTER, requestId);
    const handled = await submitExportJobs(deps.ports, params.id, jobs, context);
    if (isLeft(handled)) return handled;
    const head = await deps.ports.store.head();
    if (isLeft(head)) return left(unavailable('The event store', head.left.kind));
    const created = (handled.right.state?.submittedJobs ?? []).map(({ jobId, entityName, query }) => ({
      id: jobId,
      entity_name: entityName,
      status: query === null ? 'pending' : 'submitted',
    }));
    return right({ position: head.right, body: { created: created.length, jobs: created } });
  },

  listSnapshotExportJobs: async ({ params, query }) => {
    const jobs = await listSnapshotJobs(deps.db, params.id, query.status ?? null);
    if (jobs === null) return left(notFound('snapshot', params.id));
    return right({ body: { jobs } });
  },
});

const submissionOf = (job: SubmittedJob, now: string): JobSubmission => ({
  jobType: job.job_type,
  entityName: job.entity_name,
  storagePath: job.storage_path.replace(/\/*$/, '/'),
  query:
    job.status === 'pending'
      ? null
      : { queryId: job.queryengine_query_id, nextUri: job.next_uri, submittedAt: job.submitted_at ?? now },
});

const reportOf = (
  body: ExportReport,
): Either<DomainError<'VALIDATION_FAILED'>, Parameters<typeof reportSnapshot>[2]> => {
  switch (body.status) {
    case 'creating':
      return right({ type: 'StartExport' });
    case 'ready': {
      const { size_bytes: sizeBytes, node_counts: nodeCounts, edge_counts: edgeCounts } = body;
      if (sizeBytes === undefined) return left(invalidField('size_bytes', 'is required for a ready snapshot'));
      if (nodeCounts === undefined) return left(invalidField('node_counts', 'is required for a ready snapshot'));
      if (edgeCounts === undefined) return left(invalidField('edge_counts', 'is required for a ready snapshot'));
      return right({ type: 'ReportReady', sizeBytes, nodeCounts, edgeCounts });
    }
    case 'failed':
      return right({
        type: 'FailSnapshot',
        errorCode: 'DATA_LOAD_ERROR',
        errorMessage: body.error_message ?? 'The worker gave no reason.',
        failedStep: body.failed_step ?? null,
        nodeCounts: body.partial_results?.node_counts ?? {},
        edgeCounts: body.partial_results?.edge_counts ?? {},
      });
  }
};
