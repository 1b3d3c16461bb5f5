import { type Either } from 'fp-ts/Either';
import { type AppendError, type ReadError } from './event-store';

/** Which log this is. The id is kept in the log itself, so that it is lost, restored and copied with it. */
export interface LogIdentity {
  /** Null: the log has no id yet. */
  read(): Promise<Either<ReadError, string | null>>;
  /** Gives the log this id unless it has one; answers the one it has. */
  ensure(id: string): Promise<Either<ReadError | AppendError, string>>;
}
