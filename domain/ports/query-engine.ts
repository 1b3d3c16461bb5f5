import { type Either } from 'fp-ts/Either';

export type QueryEngineError =
  /** The SQL is wrong. `position` is 1-based, null when the engine gives none. */
  | {
      readonly kind: 'invalid_sql';
      readonly message: string;
      readonly position: { readonly line: number; readonly column: number } | null;
    }
  /** The query was right but failed while it ran. */
  | { readonly kind: 'query_failed'; readonly message: string }
  /** The address names a query this engine does not (or no longer) know. */
  | { readonly kind: 'unknown_query'; readonly message: string }
  /** The engine could not be reached. */
  | { readonly kind: 'unavailable'; readonly message: string };

/** A column as the engine names and types it. */
export interface EngineColumn {
  readonly name: string;
  /** The engine's own type, lower case, for example `varchar` or `decimal(10,2)`. */
  readonly type: string;
}

export interface ExportRequest {
  /** One read-only query; its result columns are looked up by name. */
  readonly sql: string;
  /** The columns to export, in this order. */
  readonly columns: readonly string[];
  /** Catalog that unqualified names refer to, null for the engine's default. */
  readonly catalog: string | null;
  /** Object-store address of the folder the Parquet files belong into, ends in `/`. */
  readonly destination: string;
  /** A local scratch folder for engines that cannot write to the object store. Exists and is empty. */
  readonly scratchDirectory: string;
}

/**
 * Addresses of exports that run inside the process that submitted them begin like this. Other processes cannot
 * query them, and they end with it.
 */
export const LOCAL_EXPORT = 'duckdb:';

/** The state of an export. `nextUri` is the address to ask next; it may change with every answer. */
export type ExportState =
  | { readonly state: 'running'; readonly queryId: string; readonly nextUri: string }
  | {
      readonly state: 'finished';
      readonly queryId: string;
      /** Local Parquet files the caller now has to put into the destination; empty when the engine wrote there itself. */
      readonly localFiles: readonly string[];
    };

export interface EngineCatalog {
  readonly name: string;
  /** Why the catalog, or a part of it, cannot be read at the moment; null when all of it can. */
  readonly problem: string | null;
}

export interface EngineTableColumn extends EngineColumn {
  readonly nullable: boolean;
  /** From 1. */
  readonly ordinalPosition: number;
  readonly defaultValue: string | null;
}

export interface EngineTable {
  readonly name: string;
  /** `TABLE` or `VIEW`. */
  readonly type: string;
  /** In the order of their positions. */
  readonly columns: readonly EngineTableColumn[];
}

/** Where a table is. */
export interface TablePlace {
  readonly catalog: string;
  readonly schema: string;
}

/** What can be asked of the query engine without running anything: what there is, and whether a query is right. */
export interface EngineInspector {
  /** Names and types of a query's result, without running it. */
  describe(sql: string, catalog?: string | null): Promise<Either<QueryEngineError, readonly EngineColumn[]>>;
  /**
   * Every place a name in FROM could refer to. Of a full name (three parts) its own, whether or not there is anything;
   * of a shorter one only where such a table exists. Parts are compared as the engine compares them.
   */
  placesOf(path: readonly string[]): Promise<Either<QueryEngineError, readonly TablePlace[]>>;
  /** A cheap round trip, for health checks. */
  ping(): Promise<Either<QueryEngineError, void>>;
  /** Those that cannot be read at the moment are there too. */
  listCatalogs(): Promise<Either<QueryEngineError, readonly EngineCatalog[]>>;
  /** Names of the schemas that hold tables. */
  listSchemas(catalog: string): Promise<Either<QueryEngineError, readonly string[]>>;
  /**
   * A page of a schema's tables with their columns: the first ones by name (in the order of code points) behind `after`,
   * null for the first page. An empty page is the end.
   */
  listTables(
    catalog: string,
    schema: string,
    after: string | null,
  ): Promise<Either<QueryEngineError, readonly EngineTable[]>>;
}

/** The tabular query engine that users' SQL runs on. */
export interface QueryEngine extends EngineInspector {
  /** Starts an export to Parquet. Zero rows give one empty typed file. May answer `finished` right away. */
  submitExport(request: ExportRequest): Promise<Either<QueryEngineError, ExportState>>;
  /** Asks for the state, waiting up to about a second for news. */
  pollExport(nextUri: string): Promise<Either<QueryEngineError, ExportState>>;
  /** Ends a running export; one that ended already is not an error. */
  cancelExport(nextUri: string): Promise<Either<QueryEngineError, void>>;
}
