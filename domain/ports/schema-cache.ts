import { type Either } from 'fp-ts/Either';
import { type AllowList } from '../schema-cache';
import { type EngineTable } from './query-engine';

/** Some tables of a schema, with their columns. */
export interface SchemaPage {
  readonly schema: string;
  readonly tables: readonly EngineTable[];
}

export interface CatalogReading {
  readonly catalog: string;
  readonly readAt: Date;
  /** What of the catalog was not read, and why; null: all was read. */
  readonly problem: string | null;
  /** Whether the pages have all its tables, so that cached tables that are not in the pages are removed. */
  readonly isComplete: boolean;
}

export interface CachedCounts {
  readonly tables: number;
  readonly columns: number;
}

/**
 * The cached contents of the query engine's catalogs; persistent. A change of a catalog is atomic for readers. Rejects
 * when the database is unavailable.
 */
export interface SchemaCache {
  /**
   * Replaces the cached contents of a catalog by the pages, and stores the problem. A left page ends the replacement
   * and only stores its message as the problem.
   */
  replaceCatalog<E extends { readonly message: string }>(
    reading: CatalogReading,
    pages: AsyncIterable<Either<E, SchemaPage>>,
  ): Promise<Either<E, CachedCounts>>;
  /** Ends the refresh that began at a time: removes all catalogs but these. Returns the number of removed ones. */
  finishRefresh(catalogs: readonly string[], startedAt: Date): Promise<number>;
  /** Notes why the refresh that began at a time failed: in its state, and as the problem of every cached catalog. */
  failRefresh(message: string, startedAt: Date): Promise<void>;
  /**
   * Removes entries that the list does not allow, and stores the list. Returns whether the list has changed.
   */
  adoptAllowList(allowList: AllowList): Promise<boolean>;
}
