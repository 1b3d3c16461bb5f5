import { type Either } from 'fp-ts/Either';
import { type EngineTable } from './query-engine';
import { type AllowList } from '../schema-cache';

/** Some tables of a schema, with their columns. */
export interface SchemaPage {
  readonly schema: string;
  readonly tables: readonly EngineTable[];
}

export interface CatalogReading {
  readonly catalog: string;
  readonly readAt: Date;
  /** Why a part of the catalog could not be read, so that what is not among the pages stays cached; null: all was read. */
  readonly problem: string | null;
}

export interface CachedCounts {
  readonly tables: number;
  readonly columns: number;
}

/**
 * What the query engine's catalogs hold, as it was last read; outlasts restarts. Readers see a catalog as it was before
 * or as it is after a change, never in between. Rejects when the database is away.
 */
export interface SchemaCache {
  /**
   * Makes the cache say of a catalog what the pages say, and what the problem is. A page that is a left ends it: then
   * only its message has become the problem.
   */
  replaceCatalog<E extends { readonly message: string }>(
    reading: CatalogReading,
    pages: AsyncIterable<Either<E, SchemaPage>>,
  ): Promise<Either<E, CachedCounts>>;
  /** Ends a refresh: forgets all catalogs but these. Returns how many were forgotten. */
  finishRefresh(catalogs: readonly string[], at: Date): Promise<number>;
  /**
   * Forgets what the list does not allow, and remembers the list. Returns whether the list has changed.
   */
  adoptAllowList(allowList: AllowList): Promise<boolean>;
}
