import { type Either } from 'fp-ts/Either';
import { type AppendError, type ReadError } from './event-store';

/** The identity of a log. The id is stored in the log itself, so that it is lost, restored and copied with the log. */
export interface LogIdentity {
  /** Null: the log has no id yet. */
  read(): Promise<Either<ReadError, string | null>>;
  /** Sets the id of the log unless it has one; returns the id of the log. */
  ensure(id: string): Promise<Either<ReadError | AppendError, string>>;
}
