import { type Either } from 'fp-ts/Either';
import { type JobHistory, type JobName, jobStream } from '../../domain/job';
import { type DomainError } from '../../domain/kernel/errors';
import { jobs } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Handled, handleCommand } from '../kit/handle-command';

/** Orders a run of a job. Whichever replica holds the lease runs it soon, also after a crash. */
export const triggerJob = (
  ports: CommandPorts,
  jobName: JobName,
  reason: string,
  context: CommandContext,
): Promise<Either<DomainError, Handled<JobHistory>>> =>
  handleCommand(ports, jobs, jobStream(jobName), { type: 'TriggerJob', jobName, reason }, context);
