import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CliFailure, failed } from '../cli/failure';
import { askPatiently, type CopyFailure } from '../log-copy/log-pages';
import { type FollowedLog, type StoreKind } from '../postgres/followed-log';
import { type OpenedEventStore } from '../start/open-event-store';

/** Makes a store's log the one with this id. */
export const giveId = async (
  { identity, kind }: OpenedEventStore,
  logId: string,
): Promise<Either<CopyFailure, void>> => {
  const given = await askPatiently(() => identity.ensure(logId));
  if (isLeft(given)) return left({ message: `${kind} does not take the log's id (${given.left.kind}).` });
  return given.right === logId
    ? right(undefined)
    : left({ message: `The log in ${kind} has become another one meanwhile (${given.right}). Nothing was written.` });
};

/** What is said when the settings name a store that does not have this system's log. */
export const otherStore = (followed: StoreKind, asked: StoreKind): CliFailure =>
  failed(
    `This system follows the log in ${followed}, and the settings say ${asked}. Set ROWGRAPH_EVENT_STORE=${followed}, or move the log first: rowgraph log copy --from ${followed} --to ${asked}`,
  );

/** Whether an import of the log that is followed has not ended. */
export const isHalf = (followed: FollowedLog | null): boolean =>
  followed?.copy !== undefined && followed.copy?.store === followed.store;
