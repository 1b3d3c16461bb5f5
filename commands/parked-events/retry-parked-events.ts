import { isLeft, right } from 'fp-ts/Either';
import { type ParkedEventsCommand, parkedEventsStream } from '../../domain/parked-events';
import { type ParkedEventRetry } from '../../domain/ports/feed-consumer';
import { parkedEventRetries } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { handleCommand } from '../kit/handle-command';

export interface RetryPorts extends CommandPorts {
  readonly parkedEvents: ParkedEventRetry;
}

/**
 * Retries the parked events of a stream for a reader, or skips the first one. The order is recorded before it is
 * executed; the execution is idempotent.
 */
export const retryParkedEvents = async <T extends ParkedEventsCommand['type']>(
  ports: RetryPorts,
  order: Omit<ParkedEventsCommand, 'first'> & { readonly type: T },
  context: CommandContext,
) => {
  const { type, reader, streamId } = order;
  const first = await ports.parkedEvents.firstOf(reader, streamId);
  const stream = parkedEventsStream(reader);
  const ordered = await handleCommand(ports, parkedEventRetries, stream, { ...order, first }, context);
  if (isLeft(ordered)) return ordered;
  const skip = type === 'SkipParkedEvent' && first?.position === order.expected ? first.position : null;
  const retried = await ports.parkedEvents.retry(reader, streamId, skip);
  return isLeft(retried) ? retried : right({ ...retried.right, position: ordered.right.position });
};
