import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/Either';
import { comparePositions, START } from '../../domain/kernel/event';
import { type AppendError, type Appended, type EventStore } from '../../domain/ports/event-store';
import { type AppendGroup } from './append-windows';
import { askPatiently, type CopyFailure } from './log-pages';
import { type LoggedEvent } from './logged-event';

/** What to do when a target cannot become the copy any more. */
export const BEGIN_AGAIN = 'Copy into an empty event store: another ROWGRAPH_EVENT_STORE_PREFIX, or another database.';

/**
 * Writes appends at the same time and sees that the store took them in this order. When one is not answered all are
 * sent again, in order: whatever of the first time is written late, an event never comes before an earlier one.
 */
export const appendInOrder = async (
  target: EventStore,
  name: string,
  window: readonly AppendGroup[],
  patienceMs?: number,
): Promise<Either<CopyFailure, void>> => {
  const sent = await askPatiently(() => sendWindow(target, window), patienceMs);
  if (isLeft(sent)) {
    return left({ message: `${name} did not take ${nameOf(sent.left.event)}. ${reasonOf(sent.left)}` });
  }
  for (const [index, { position }] of sent.right.entries()) {
    const before = sent.right[index - 1]?.position ?? START;
    if (comparePositions(position, before) > 0) continue;
    return left({
      message: `${name} took ${nameOf(window[index]?.[0])} before events that come earlier, so the copy is not in order. ${BEGIN_AGAIN}`,
    });
  }
  return right(undefined);
};

/** Answers with the first append that failed, if any did. */
const sendWindow = async (
  target: EventStore,
  window: readonly AppendGroup[],
): Promise<Either<AppendError & { readonly event: LoggedEvent }, readonly Appended[]>> => {
  const outcomes = await Promise.all(
    window.map(async (group) => {
      const [event] = group;
      const { streamId, revision } = event;
      const outcome = await target.append(streamId, revision === 0 ? 'no_stream' : revision - 1, group);
      return mapLeft((error: AppendError) => ({ ...error, event }))(outcome);
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

/** An event in words. */
export const nameOf = (event: LoggedEvent | undefined): string =>
  event === undefined ? 'an event' : `event ${event.id} (${event.type}, ${event.streamId}@${event.revision})`;
