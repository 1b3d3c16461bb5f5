import { type JobName, jobStream } from '../../domain/job';
import { jobs } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { handleCommand } from '../kit/handle-command';

/** Orders a run of a job. Whichever replica holds the lease runs it soon, also after a crash. */
export const triggerJob = (ports: CommandPorts, jobName: JobName, reason: string, context: CommandContext) =>
  handleCommand(ports, jobs, jobStream(jobName), { type: 'TriggerJob', jobName, reason }, context);
