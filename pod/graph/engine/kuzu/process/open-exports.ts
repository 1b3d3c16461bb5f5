import { type Either, map } from 'fp-ts/Either';
import { type QueryFailure } from '../../graph-engine';
import { type KuzuExport } from '../read/read-export';

/** The exports that are being read, by number. */
export class OpenExports {
  private readonly exports = new Map<number, KuzuExport>();
  private lastId = 0;

  /** Keeps an export; answers its number. */
  add(opened: Either<QueryFailure, KuzuExport>): Either<QueryFailure, number> {
    return map((one: KuzuExport) => {
      this.exports.set(++this.lastId, one);
      return this.lastId;
    })(opened);
  }

  read(id: number): Promise<Uint8Array | null> {
    return this.exports.get(id)?.read() ?? Promise.resolve(null);
  }

  close(id: number): void {
    this.exports.get(id)?.close();
    this.exports.delete(id);
  }
}
