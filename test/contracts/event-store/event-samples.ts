import { type Either, isLeft } from 'fp-ts/Either';
import { v7 } from 'uuid';
import { type NewEvent } from '../../../domain/kernel/event';

/** An event to append. */
export const newEvent = (type = 'ThingHappened', data: unknown = { n: 1 }): NewEvent => ({
  id: v7(),
  type,
  schemaVersion: 1,
  data,
  metadata: {
    commandId: 'command-1',
    correlationId: 'request-1',
    causationId: 'command-1',
    actor: 'ada',
    role: 'analyst',
    occurredAt: '2026-01-02T03:04:05.678Z',
  },
});

export const newEvents = (count: number, type?: string): readonly NewEvent[] =>
  Array.from({ length: count }, (_, n) => newEvent(type, { n }));

/** The right side of a call that a test expects to succeed. */
export const succeeded = <A>(outcome: Either<unknown, A>): A => {
  if (isLeft(outcome)) throw new Error(`Expected success, got ${JSON.stringify(outcome.left)}`);
  return outcome.right;
};
