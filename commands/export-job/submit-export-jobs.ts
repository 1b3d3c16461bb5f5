import { isLeft, left, right } from 'fp-ts/Either';
import { invalidFields, notFound } from '../../domain/kernel/errors';
import { type Snapshot, snapshotStream, type SubmittedJob } from '../../domain/snapshot';
import { snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { entitiesOf, type Entity, isSame, loadMappingVersion, planExportJobs } from './plan-export-jobs';

/** A job as an external submitter sends it. */
export type JobSubmission = Omit<SubmittedJob, 'jobId'>;

/**
 * Stores the export jobs of a snapshot, once: one for each definition of its mapping version. Fails with
 * `JOBS_ALREADY_EXIST` if the snapshot has jobs, as it always does when the control plane plans them.
 */
export const submitExportJobs = async (
  ports: CommandPorts,
  snapshotId: number,
  jobs: readonly JobSubmission[],
  context: CommandContext,
): CommandResult<
  CommandOutcome<Snapshot | null>,
  | 'VALIDATION_FAILED'
  | 'RESOURCE_NOT_FOUND'
  | 'MAPPING_VERSION_NOT_FOUND'
  | 'JOBS_ALREADY_EXIST'
  | 'INVALID_STATE_TRANSITION'
> => {
  const stream = snapshotStream(snapshotId);
  const loaded = await loadStream(ports, snapshots, stream);
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  if (state === null) return left(notFound('snapshot', snapshotId));
  if (state.jobs.length === 0) {
    const version = await loadMappingVersion(ports, state.mappingId, state.mappingVersion);
    if (isLeft(version)) return version;
    const refusal = mismatchError(jobs, entitiesOf(version.right));
    if (refusal !== null) return left(refusal);
  }
  const jobIds = state.jobs.length === 0 ? await ports.ids.next('export_job', jobs.length) : [];
  const numbered = jobs.map((job, index) => ({ ...job, jobId: jobIds[index] ?? 0 }));
  const command = { type: 'SubmitJobs', jobs: numbered } as const;
  const handled = await handleCommand(ports, snapshots, stream, command, context);
  if (isLeft(handled)) return handled;
  // The snapshot's process also creates the jobs; creating them here lets the submitter report on them at once.
  const planned = await planExportJobs(ports, snapshotId, context);
  return isLeft(planned) ? planned : right(handled.right);
};

/** The error unless each definition has exactly one job: a snapshot with a missing export cannot be loaded. */
const mismatchError = (jobs: readonly Entity[], wanted: readonly Entity[]) => {
  const unknown = jobs.flatMap((job, index) => {
    const field = `jobs.${index}.entity_name`;
    if (!wanted.some(isSame(job))) return [{ field, message: `is not a ${job.jobType} definition of the mapping` }];
    return jobs.findIndex(isSame(job)) < index
      ? [{ field, message: 'names the same definition as an earlier job' }]
      : [];
  });
  const missing = wanted
    .filter((entity) => !jobs.some(isSame(entity)))
    .map(({ jobType, entityName }) => ({ field: 'jobs', message: `has no job for the ${jobType} ${entityName}` }));
  const errors = [...unknown, ...missing];
  return errors.length === 0 ? null : invalidFields(errors);
};
