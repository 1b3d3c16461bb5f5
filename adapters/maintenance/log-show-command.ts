import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { STREAM_CATEGORIES } from '../../domain/events';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore, type ReadError } from '../../domain/ports/event-store';
import { type CommandInput, type LocalContext, type Outcome } from '../cli/action';
import { type CliFailure, failed, usageError } from '../cli/failure';
import { fromLoggedEvent } from '../log-copy/log-file-format';
import { withEventStore } from './find-database';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const MAX_POSITION = 2n ** 63n - 1n;

/** Prints events of a stream, or the event at a position. The system may be running; its PostgreSQL must be running. */
export const showLog = async (input: CommandInput, { environment }: LocalContext): Outcome => {
  const wanted = wantedOf(input);
  if (isLeft(wanted)) return wanted;
  return withEventStore(environment, 60_000, problem, (_, store) => showEvents(store, wanted.right));
};

const problem = (reason: string): string =>
  `The log could not be read: ${reason}. Are the system and its event store running?`;

const wantedOf = (input: CommandInput): Either<CliFailure, WantedEvents> => {
  const [streamId, position] = [input.args[0], input.text('position')];
  const [from, limit] = [input.integer('from'), input.integer('limit')];
  if (position !== undefined && (streamId ?? from ?? limit) === undefined) {
    if (!/^[1-9]\d{0,18}$/.test(position) || BigInt(position) > MAX_POSITION) {
      return left(
        usageError(`${position} is not a position. X-Event-Position and rowgraph parked list show positions.`),
      );
    }
    // The digits were checked above.
    return right({ position: position as Position });
  }
  if (streamId === undefined || position !== undefined) {
    return left(usageError('Expected a stream, optionally with --from and --limit, or --position alone.'));
  }
  if (limit !== undefined && (limit < 1 || limit > MAX_LIMIT)) {
    return left(usageError(`--limit must be from 1 to ${MAX_LIMIT}.`));
  }
  return right({ streamId, from: from ?? 0, limit: limit ?? DEFAULT_LIMIT });
};

type WantedEvents =
  | { readonly position: Position }
  /** `from`: the first revision; `limit`: the maximum number of events. */
  | { readonly streamId: string; readonly from: number; readonly limit: number };

type Reader = Pick<EventStore, 'readStream' | 'readAt'>;

/** Events of the log as JSON lines: as `log export` writes them, with the fields that the store adds. */
export const showEvents = (store: Reader, wanted: WantedEvents): Outcome =>
  'position' in wanted ? showEvent(store, wanted.position) : showStream(store, wanted.streamId, wanted);

const showEvent = async (store: Reader, position: Position): Outcome => {
  const event = await store.readAt(position);
  if (isLeft(event)) return left(unreadable(event.left));
  if (event.right === null) return left(failed(`The log has no event at position ${position}.`));
  const data = toOutput(event.right);
  return right({ data, text: JSON.stringify(data) });
};

const showStream = async (
  store: Reader,
  streamId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Outcome => {
  // An event store throws for names of other categories.
  if (!STREAM_CATEGORIES.some((category) => streamId.startsWith(`${category}-`))) return left(noStream(streamId));
  const events = await store.readStream(streamId, { fromRevision: from, limit: limit + 1 });
  if (isLeft(events)) return left(unreadable(events.left));
  if (events.right.length === 0) return explainEmpty(store, streamId);
  const data = events.right.slice(0, limit).map(toOutput);
  return right({
    data,
    text: data.map((event) => JSON.stringify(event)).join('\n'),
    ...(events.right.length > limit ? { note: `More events follow: continue with --from ${from + limit}.` } : {}),
  });
};

const explainEmpty = async (store: Reader, streamId: string): Outcome => {
  const last = await store.readStream(streamId, { direction: 'backwards', limit: 1 });
  if (isLeft(last)) return left(unreadable(last.left));
  const [event] = last.right;
  return left(
    event === undefined ? noStream(streamId) : failed(`The last revision of ${streamId} is ${event.revision}.`),
  );
};

const toOutput = (event: StoredEvent) => ({
  position: event.position,
  recorded_at: event.recordedAt,
  ...fromLoggedEvent(event),
});

const noStream = (streamId: string): CliFailure =>
  failed(
    `The log has no stream ${streamId}.`,
    `Stream names are <category>-<id>, such as instance-42; the categories are ${STREAM_CATEGORIES.join(', ')}.`,
  );

const unreadable = (error: ReadError): CliFailure =>
  error.kind === 'broken_stream'
    ? failed(`${error.reason}.`, 'See "A stream is broken" in docs/operations/runbooks/event-store.md.')
    : failed(problem(error.reason));
