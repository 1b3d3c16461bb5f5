import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { needsNewerVersion } from '../../domain/kernel/event-catalogue';
import { type ParkedInput, type ParkedInputs } from '../../domain/ports/parked-inputs';
import { type CommandPorts } from '../kit/command-context';
import { processesFor, type ProcessInputFor, takeInput } from './run-process';

export interface ParkingPorts extends CommandPorts {
  readonly parked: ParkedInputs;
}

export interface TakeInputPorts extends ParkingPorts {
  /** An event was parked; later ones for that stream wait behind it. */
  readonly onParked: (streamId: string, event: StoredEvent, error: string) => void;
  /** A failure that will be tried again. */
  readonly onTrouble: (what: string, error: unknown) => void;
  /** Waits, unless the signal aborts first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** An event a process cannot take in is tried so often, with ever longer pauses, before it is parked. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 50;

/**
 * Gives an event to the processes it concerns. One that a process cannot take in is parked for that process, and so
 * are later ones. `held`: the streams that are held back; it grows. Left: nothing is lost, the reader has to stop and
 * try again (the store is away, or the event needs a newer version).
 */
export const takeInOrPark = async (
  ports: TakeInputPorts,
  event: StoredEvent,
  held: Set<string>,
  signal: AbortSignal,
): Promise<Either<DomainError, void>> => {
  const isBehind = async (streamId: string): Promise<boolean> =>
    held.has(streamId) && (await ports.parked.parkBehind(streamId, event));
  const park = async (streamId: string, error: string, attempts: number): Promise<void> => {
    await ports.parked.park(streamId, event, error, attempts);
    held.add(streamId);
    ports.onParked(streamId, event, error);
  };

  if (await isBehind(event.streamId)) return right(undefined);
  const targets = processesFor(event);
  if (isLeft(targets)) {
    if (!isFaultOfEvent(targets.left)) return targets;
    await park(event.streamId, targets.left.message, 1);
    return right(undefined);
  }
  for (const target of targets.right) {
    if (await isBehind(target.streamId)) continue;
    const taken = await tryInput(ports, target, event, signal);
    if (!isLeft(taken)) continue;
    if (!isFaultOfEvent(taken.left)) return taken;
    await park(target.streamId, taken.left.message, ATTEMPTS);
  }
  return right(undefined);
};

const tryInput = async (
  ports: TakeInputPorts,
  target: ProcessInputFor,
  event: StoredEvent,
  signal: AbortSignal,
): Promise<Either<DomainError, void>> => {
  for (let attempt = 1; ; attempt++) {
    const taken = await takeInput(ports, target, event);
    if (!isLeft(taken) || !isFaultOfEvent(taken.left) || attempt === ATTEMPTS) return taken;
    ports.onTrouble(`giving ${event.type} at position ${event.position} to ${target.streamId}`, taken.left);
    await ports.pause(FIRST_PAUSE_MS * 3 ** (attempt - 1), signal);
    // Who is stopped has not waited: the next start tries again.
    if (signal.aborted) return left(domainError('SERVICE_UNAVAILABLE', 'The processes are being stopped.'));
  }
};

/** Takes a parked event in again; left when it fails as before, or for the time being. */
export const takeParked = async (
  ports: ParkingPorts,
  streamId: string,
  { eventStreamId, eventRevision }: ParkedInput,
): Promise<Either<DomainError, void>> => {
  const read = await ports.store.readStream(eventStreamId, { fromRevision: eventRevision, limit: 1 });
  const event = isLeft(read) ? undefined : read.right[0];
  if (event === undefined) {
    return left(domainError('SERVICE_UNAVAILABLE', `${eventStreamId}@${eventRevision} could not be read; try again.`));
  }
  const targets = processesFor(event);
  if (isLeft(targets)) return targets;
  for (const target of targets.right) {
    // An event nobody could read was held back from every process.
    const isMeant = streamId === event.streamId || streamId === target.streamId;
    if (!isMeant || (streamId !== target.streamId && (await ports.parked.parkBehind(target.streamId, event)))) continue;
    const taken = await takeInput(ports, target, event);
    if (isLeft(taken)) return taken;
  }
  return right(undefined);
};

/** Neither the store nor the version of this program is to blame. */
export const isFaultOfEvent = (error: DomainError): boolean =>
  error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'CONFLICT' && !needsNewerVersion(error);
