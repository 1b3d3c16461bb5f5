import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type LoggedEvent } from '../../domain/kernel/canonical-event';
import { mapLeft } from '../../domain/kernel/either';
import { comparePositions, START } from '../../domain/kernel/event';
import { type Appended, type AppendError, type EventStore } from '../../domain/ports/event-store';
import { type CopyFailure, retryWhileUnavailable } from './log-pages';

/** Next step when a target cannot become the copy. */
export const USE_EMPTY_STORE =
  'Copy into an empty event store: another ROWGRAPH_EVENT_STORE_PREFIX, or another database.';

/**
 * Sends appends concurrently and checks that the store wrote them in this order. If one is not acknowledged, all are
 * sent again in order: even if an append of the first attempt is written late, an event is never before an earlier one.
 */
export const appendInOrder = async (
  target: EventStore,
  name: string,
  window: readonly AppendGroup[],
  timeoutMs?: number,
): Promise<Either<CopyFailure, void>> => {
  const sent = await retryWhileUnavailable(() => sendWindow(target, window), timeoutMs);
  if (isLeft(sent)) {
    return left({ message: `${name} did not take ${nameOf(sent.left.event)}. ${reasonOf(sent.left)}` });
  }
  for (const [index, { position }] of sent.right.entries()) {
    const before = sent.right[index - 1]?.position ?? START;
    if (comparePositions(position, before) > 0) continue;
    return left({
      message: `${name} took ${nameOf(window[index]?.[0])} before events that come earlier, so the copy is not in order. ${USE_EMPTY_STORE}`,
    });
  }
  return right(undefined);
};

/** Returns the first append that failed, if any. */
const sendWindow = async (
  target: EventStore,
  window: readonly AppendGroup[],
): Promise<Either<AppendError & { readonly event: LoggedEvent }, readonly Appended[]>> => {
  const outcomes = await Promise.all(
    window.map(async (group) => {
      const [event] = group;
      const { streamId, revision } = event;
      const outcome = await target.append(streamId, revision === 0 ? 'no_stream' : revision - 1, group);
      return mapLeft(outcome, (error) => ({ ...error, event }));
    }),
  );
  const appended: Appended[] = [];
  for (const outcome of outcomes) {
    if (isLeft(outcome)) return outcome;
    appended.push(outcome.right);
  }
  return right(appended);
};

const AGAIN = 'Run the command again: it resumes where it stopped.';

const reasonOf = (error: AppendError): string => {
  switch (error.kind) {
    case 'too_large':
      return `It has ${error.bytes} bytes and the store takes ${error.maxBytes}: raise ROWGRAPH_EVENT_STORE_MAX_APPEND, and the limit of the server. ${AGAIN}`;
    case 'invalid_text':
      return `Its field ${error.field} has a text that not every store can keep.`;
    case 'wrong_expected_revision':
      return `The stream is at revision ${error.actual ?? 'none'}: another program writes to it, or its events are out of order. Stop every rowgraph. ${AGAIN}`;
    case 'broken_stream':
    case 'unknown_outcome':
    case 'unavailable':
      return `${error.reason}. ${AGAIN}`;
  }
};

/** Describes an event in errors. */
export const nameOf = (event: LoggedEvent | undefined): string =>
  event === undefined ? 'an event' : `event ${event.id} (${event.type}, ${event.streamId}@${event.revision})`;

/** Events that are adjacent in the log and in one stream, for one append. */
type AppendGroup = readonly [LoggedEvent, ...LoggedEvent[]];

/** The size that every store accepts for one append, unless a single event is larger. */
const GROUP_BYTES = 256 * 1024;
const WINDOW_GROUPS = 128;
const WINDOW_BYTES = 2 * 1024 * 1024;

/**
 * Groups events into windows of concurrent appends. An `ordered` store writes appends in the order in which they are
 * sent; for any other store a window contains one append per stream.
 */
export const appendWindows = (
  events: readonly LoggedEvent[],
  ordered: boolean,
): readonly (readonly AppendGroup[])[] => {
  const windows: AppendGroup[][] = [];
  let window: AppendGroup[] = [];
  let streams = new Set<string>();
  let bytes = 0;
  for (const { group, size } of groupsOf(events)) {
    const { streamId } = group[0];
    if ((!ordered && streams.has(streamId)) || window.length === WINDOW_GROUPS || bytes + size > WINDOW_BYTES) {
      if (window.length > 0) windows.push(window);
      [window, streams, bytes] = [[], new Set(), 0];
    }
    window.push(group);
    streams.add(streamId);
    bytes += size;
  }
  return window.length > 0 ? [...windows, window] : windows;
};

const groupsOf = (
  events: readonly LoggedEvent[],
): readonly { readonly group: AppendGroup; readonly size: number }[] => {
  const groups: { group: [LoggedEvent, ...LoggedEvent[]]; size: number }[] = [];
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event));
    const last = groups.at(-1);
    if (last?.group[0].streamId === event.streamId && last.size + size <= GROUP_BYTES) {
      last.group.push(event);
      last.size += size;
    } else groups.push({ group: [event], size });
  }
  return groups;
};
