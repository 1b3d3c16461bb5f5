import { type Either, isLeft, right } from 'fp-ts/Either';
import { type DomainError } from '../../domain/kernel/errors';
import { type Position } from '../../domain/kernel/event';
import { type Retried } from '../../domain/ports/parked-events';
import { isFaultOfEvent, type ParkingPorts, takeParked } from './take-input';

/**
 * Takes in what is parked for a stream in order, after dropping the first event when it is the one to skip. Stops at
 * one that fails as before: that and the later ones stay parked. Left when the store is away.
 */
export const retryParkedInputs = async (
  ports: ParkingPorts,
  streamId: string,
  skip: Position | null,
): Promise<Either<DomainError, Retried>> => {
  const first = await ports.parked.firstOf(streamId);
  if (skip !== null && first?.position === skip) await ports.parked.remove(streamId, skip);
  for (let applied = 0; ; applied++) {
    const next = await ports.parked.firstOf(streamId);
    if (next === null) return right({ applied, error: null });
    const taken = await takeParked(ports, streamId, next);
    if (isLeft(taken)) {
      if (!isFaultOfEvent(taken.left)) return taken;
      await ports.parked.recordFailure(streamId, next.position, taken.left.message);
      return right({ applied, error: taken.left.message });
    }
    await ports.parked.remove(streamId, next.position);
  }
};
