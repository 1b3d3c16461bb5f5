import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type CommandInput, type LocalContext, type Outcome } from '../cli/action';
import { type CliFailure, failed, wrongUsage } from '../cli/failure';
import { withEventStore } from './find-database';
import { showEvents, type WantedEvents } from './show-events';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const MAX_POSITION = 2n ** 63n - 1n;

/** Prints events of a stream, or the one at a position. The system may run meanwhile, and its PostgreSQL has to. */
export const showLog = async (input: CommandInput, { environment }: LocalContext): Outcome => {
  const wanted = wantedOf(input);
  if (isLeft(wanted)) return wanted;
  return withEventStore(environment, 60_000, complaint, async (_, store) => {
    const shown = await showEvents(store, wanted.right);
    if (!isLeft(shown)) return shown;
    return left(failed(...(shown.left.kind === 'away' ? [complaint(shown.left.reason)] : shown.left.lines)));
  });
};

const complaint = (reason: string): string =>
  `The log could not be read: ${reason}. Does the system run, and its event store?`;

const wantedOf = (input: CommandInput): Either<CliFailure, WantedEvents> => {
  const [streamId, position] = [input.words[0], input.text('position')];
  const [from, limit] = [input.integer('from'), input.integer('limit')];
  if (position !== undefined && (streamId ?? from ?? limit) === undefined) {
    if (!/^[1-9]\d{0,18}$/.test(position) || BigInt(position) > MAX_POSITION) {
      return left(
        wrongUsage(`${position} is not a position. X-Event-Position and rowgraph parked list show positions.`),
      );
    }
    // The digits were checked just above.
    return right({ position: position as Position });
  }
  if (streamId === undefined || position !== undefined) {
    return left(wrongUsage('Name a stream, with --from and --limit if need be, or a --position alone.'));
  }
  if (limit !== undefined && (limit < 1 || limit > MAX_LIMIT)) {
    return left(wrongUsage(`--limit has to be from 1 to ${MAX_LIMIT}.`));
  }
  return right({ streamId, from: from ?? 0, limit: limit ?? DEFAULT_LIMIT });
};
