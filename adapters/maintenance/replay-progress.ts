import { type Either, isLeft } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type Screen } from '../cli/progress-display';

const EVERY_MS = 2_000;

/**
 * Shows every two seconds how much of the log, up to the last position of a replay, has been read, and the remaining time
 * at that speed; at the end of a log that took longer, what follows. Shows nothing if that position could not be read.
 */
export const replayProgress = (
  last: Either<unknown, string>,
  screen: Screen,
  next: 'building indexes' | 'comparing rows',
): ((events: number, position: Position) => void) => {
  const end = isLeft(last) ? NaN : Number(last.right);
  const startedAt = performance.now();
  let shownAt = startedAt;
  let isRead = false;
  return (events, position) => {
    const now = performance.now();
    const share = Math.min(1, Number(position) / end);
    if (!(share > 0) || isRead || now - (share < 1 ? shownAt : startedAt) < EVERY_MS) return;
    shownAt = now;
    isRead = share === 1;
    const left = Math.ceil(((now - startedAt) / 1000 / share) * (1 - share));
    const rest = isRead ? next : `about ${left} s left`;
    screen.write(`${Math.floor(share * 100)} % of the log read, ${events} events; ${rest}\n`);
  };
};
