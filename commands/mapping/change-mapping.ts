import { type Either } from 'fp-ts/Either';
import { type DomainError } from '../../domain/kernel/errors';
import { type ChangeMapping, type Mapping, mappingStream } from '../../domain/mapping';
import { mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Confirm, type Handled, handleCommand, naming } from '../kit/handle-command';
import { inTurn } from '../kit/in-turn';

/** Any command on one existing mapping. To delete one use `deleteMapping`, which finds out about its snapshots. */
export const changeMapping = async (
  ports: CommandPorts,
  mappingId: number,
  command: ChangeMapping,
  context: CommandContext,
  confirm?: Confirm<Mapping | null>,
): Promise<Either<DomainError, Handled<Mapping | null>>> => {
  const stream = mappingStream(mappingId);
  const handle = () => handleCommand(ports, mappings, stream, command, context, confirm);
  return naming('mapping', mappingId, await inTurn(ports.store, stream, handle));
};
