import { isLeft } from 'fp-ts/Either';
import { type Mapping, mappingStream } from '../../domain/mapping';
import { mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, type Precondition } from '../kit/handle-command';
import { loadHistory } from '../kit/load-stream';
import { changeMapping } from './change-mapping';
import { goneSnapshots } from './gone-snapshots';

/**
 * A planned instance that was not requested within this time can no longer be requested: its slot expires after 60
 * seconds.
 */
const ABANDONED_MS = 120_000;

/**
 * Deletes a mapping without snapshots. Its stream lists every planned snapshot; the state of each that it has not
 * forgotten is read from the snapshot's own stream, because read models may lag.
 */
export const deleteMapping = async (
  ports: CommandPorts,
  mappingId: number,
  reason: string,
  context: CommandContext,
  precondition?: Precondition<Mapping | null>,
): CommandResult<
  CommandOutcome<Mapping | null>,
  'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED' | 'RESOURCE_HAS_DEPENDENCIES'
> => {
  const loaded = await loadHistory(ports.store, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const abandonedBefore = new Date(ports.clock.now().getTime() - ABANDONED_MS).toISOString();
  const abandoned = new Set(
    loaded.right.events.flatMap(({ type, data, metadata }) =>
      type === 'MappingSnapshotPlanned' && metadata.occurredAt < abandonedBefore ? [data.snapshotId] : [],
    ),
  );
  const snapshots = loaded.right.state?.snapshots ?? [];
  const gone = await goneSnapshots(ports, snapshots, (snapshotId) => abandoned.has(snapshotId));
  if (isLeft(gone)) return gone;
  const goneSnapshotIds = gone.right;
  return changeMapping(ports, mappingId, { type: 'DeleteMapping', reason, goneSnapshotIds }, context, precondition);
};
