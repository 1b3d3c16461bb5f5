import { type Either, isLeft } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type Screen } from '../cli/progress-display';

const EVERY_MS = 2_000;

/**
 * Shows every two seconds how much of the log, up to the last position of a replay, has been read, and the remaining time
 * at that speed. Shows nothing if that position could not be read.
 */
export const replayProgress = (
  last: Either<unknown, string>,
  screen: Screen,
): ((events: number, position: Position) => void) => {
  const end = isLeft(last) ? NaN : Number(last.right);
  const startedAt = performance.now();
  let shownAt = startedAt;
  return (events, position) => {
    const now = performance.now();
    const share = Math.min(1, Number(position) / end);
    if (now - shownAt < EVERY_MS || !(share > 0)) return;
    shownAt = now;
    const left = Math.ceil(((now - startedAt) / 1000 / share) * (1 - share));
    screen.write(`${Math.floor(share * 100)} % of the log to read, ${events} events; about ${left} s left\n`);
  };
};
