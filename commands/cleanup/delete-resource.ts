import { isLeft, left, right } from 'fp-ts/Either';
import { type BulkResource } from '../../domain/cleanup';
import { domainError } from '../../domain/kernel/errors';
import { changeInstance } from '../instance/change-instance';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandResult } from '../kit/handle-command';
import { deleteMapping } from '../mapping/delete-mapping';
import { deleteSnapshot } from '../snapshot/change-snapshot';

export interface DeleteResourcePorts {
  /** Waits until pod and record of a stopping instance are deleted; false on a timeout. */
  readonly untilInstanceIsGone: (instanceId: number) => Promise<boolean>;
}

/**
 * Deletes one resource by its ordinary command. An instance counts as deleted when its pod and its record are deleted.
 */
export const deleteResource = async (
  ports: CommandPorts & DeleteResourcePorts,
  resourceType: BulkResource,
  id: number,
  reason: string,
  bulk: CommandContext,
): CommandResult<unknown, 'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED' | 'RESOURCE_HAS_DEPENDENCIES'> => {
  const context = contextOfPart(ports.ids, bulk, `${resourceType}:${id}`);
  switch (resourceType) {
    case 'mapping':
      return deleteMapping(ports, id, reason, context);
    case 'snapshot':
      return deleteSnapshot(ports, id, reason, context);
    case 'instance': {
      const requested = await changeInstance(ports, id, { type: 'RequestDeletion', reason }, context);
      if (isLeft(requested)) return requested;
      return (await ports.untilInstanceIsGone(id)) ? right(undefined) : left(stillStopping(id));
    }
  }
};

/** The error when the pod of an instance has not ended in time. */
export const stillStopping = (instanceId: number) => {
  const message = `Instance ${instanceId} is stopping, but its pod takes longer than expected. The deletion continues; read the instance until it returns 404.`;
  return domainError('SERVICE_UNAVAILABLE', message, { instance_id: instanceId });
};
