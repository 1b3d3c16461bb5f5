import { isLeft } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { type Screen } from '../cli/progress-display';

const EVERY_MS = 2_000;

/** Shows every two seconds how far a replay of the log is, and the remaining time at that speed. */
export const replayProgress = async (
  store: Pick<EventStore, 'head'>,
  screen: Screen,
): Promise<(events: number, position: Position) => void> => {
  const head = await store.head();
  const end = isLeft(head) ? 0 : Number(head.right);
  const startedAt = performance.now();
  let shownAt = startedAt;
  return (events, position) => {
    const now = performance.now();
    const share = Math.min(1, Number(position) / end);
    if (now - shownAt < EVERY_MS || !(share > 0)) return;
    shownAt = now;
    const left = Math.ceil(((now - startedAt) / 1000 / share) * (1 - share));
    screen.write(`${Math.floor(share * 100)} % of the log, ${events} events; about ${left} s left\n`);
  };
};
