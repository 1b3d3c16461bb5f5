import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CliFailure, failed } from '../cli/failure';
import { type Screen } from '../cli/progress-display';
import { type CopyFailure, retryWhileUnavailable } from '../log-copy/log-pages';
import { type FollowedLog, type StoreKind } from '../postgres/followed-log';
import { type OpenedEventStore } from '../start/open-event-store';

/** Sets the id of a store's log. */
export const assignLogId = async (
  { identity, kind }: OpenedEventStore,
  logId: string,
): Promise<Either<CopyFailure, void>> => {
  const given = await retryWhileUnavailable(() => identity.ensure(logId));
  if (isLeft(given)) return left({ message: `${kind} does not take the log's id (${given.left.kind}).` });
  return given.right === logId
    ? right(undefined)
    : left({ message: `The log in ${kind} was replaced by another one (${given.right}). Nothing was written.` });
};

/** The error when the settings name a store that does not contain this system's log. */
export const otherStore = (followed: StoreKind, configured: StoreKind): CliFailure =>
  failed(
    `This system follows the log in ${followed}, and the settings say ${configured}. Set ROWGRAPH_EVENT_STORE=${followed}, or move the log first: rowgraph log copy --from ${followed} --to ${configured}`,
  );

/** Whether an import of the followed log is incomplete. */
export const isHalf = (followed: FollowedLog | null): boolean =>
  followed?.copy !== undefined && followed.copy?.store === followed.store;

const LINE_EVERY_MS = 5_000;
const REDRAW_EVERY_MS = 200;

/**
 * Shows the progress of a copy of a log: on a terminal one line that is redrawn, elsewhere one line every five seconds.
 */
export const logProgress = (screen: Screen) => {
  let step: string | null = null;
  let stepStart = { at: 0, events: 0 };
  let writtenAt = 0;
  const end = (): void => {
    if (step !== null && screen.isTTY) screen.write('\n');
    step = null;
  };
  return {
    /** `events`: number of completed events, from the start of the log. */
    show: (now: string, events: number): void => {
      const at = performance.now();
      const isNew = now !== step;
      if (isNew) {
        end();
        [step, stepStart] = [now, { at, events }];
      } else if (at - writtenAt < (screen.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return;
      writtenAt = at;
      const seconds = (at - stepStart.at) / 1000;
      const speed = seconds < 1 ? '' : `, ${count((events - stepStart.events) / seconds)} per second`;
      const line = `${now}: ${count(events)} events${speed}`;
      screen.write(screen.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    end,
  };
};

const count = (number: number): string => Math.round(number).toLocaleString('en-US');
