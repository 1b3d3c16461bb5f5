import { type QueryEngineError } from '../../domain/ports/query-engine';
import { type WorkerJob } from '../../queries/views/export-job';

/** The folder of this attempt's files; it becomes valid with its manifest. */
export const attemptFolder = (job: WorkerJob): string => `${job.storage_path}attempt-${job.attempt}/`;

const MAX_MESSAGE_LENGTH = 4000;

/** A failure in words, beginning with the definition it concerns. */
export const failureMessage = (job: WorkerJob, reason: string): string =>
  Array.from(`${job.job_type} ${job.entity_name}: ${reason}`).slice(0, MAX_MESSAGE_LENGTH).join('');

/** An engine's error in words. */
export const engineReason = (error: QueryEngineError): string =>
  error.kind === 'invalid_sql' && error.position !== null
    ? `${error.message} (line ${error.position.line}, column ${error.position.column})`
    : error.message;
