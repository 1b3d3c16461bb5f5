import { lefts, rights } from 'fp-ts/Array';
import { isLeft, left, right } from 'fp-ts/Either';
import { type BulkDeletion, type BulkDeletionCommand, bulkDeletionStream } from '../../domain/cleanup';
import { inParallel } from '../../domain/kernel/in-parallel';
import { bulkDeletions } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { deleteResource, type DeleteResourcePorts } from './delete-resource';

export type BulkDeletionRequest = Omit<
  Extract<BulkDeletionCommand, { type: 'DecideBulkDeletion' }>,
  'type' | 'deletionId'
>;

const PARALLEL = 10;

/**
 * Records which resources to delete and why, deletes each by its own command, and records the outcome. A resource that
 * cannot be deleted does not stop the others. A repetition with the same command id resumes with the resources that the
 * first run matched.
 */
export const deleteInBulk = async (
  ports: CommandPorts & DeleteResourcePorts,
  request: BulkDeletionRequest,
  context: CommandContext,
): CommandResult<CommandOutcome<BulkDeletion | null>, 'VALIDATION_ERROR'> => {
  const deletionId = context.commandId;
  const stream = bulkDeletionStream(deletionId);
  const command = { type: 'DecideBulkDeletion', deletionId, ...request } as const;
  const decided = await handleCommand(ports, bulkDeletions, stream, command, context);
  if (isLeft(decided) || decided.right.state === null) return decided;
  const { resourceType, matchedIds, reason, dryRun } = decided.right.state.decision;
  if (dryRun) return decided;
  const results = await inParallel(PARALLEL, matchedIds, async (resourceId) => {
    const deleted = await deleteResource(ports, resourceType, resourceId, reason, context);
    if (!isLeft(deleted)) return right(resourceId);
    const { code, message } = deleted.left;
    return left({ resourceId, code, message });
  });
  const outcome = { deletedIds: rights([...results]), failures: lefts([...results]) };
  const complete = { type: 'CompleteBulkDeletion', deletionId, ...outcome } as const;
  return handleCommand(ports, bulkDeletions, stream, complete, contextOfPart(ports.ids, context, 'completed'));
};
