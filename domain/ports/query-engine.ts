import { type Either } from 'fp-ts/Either';

export type QueryEngineError =
  /** The SQL is invalid. `position` is 1-based, null when the engine does not report one. */
  | {
      readonly kind: 'invalid_sql';
      readonly message: string;
      readonly position: { readonly line: number; readonly column: number } | null;
    }
  /** A valid query failed while it ran. `canRetry`: a new attempt can succeed, for example after the loss of a node. */
  | { readonly kind: 'query_failed'; readonly message: string; readonly canRetry: boolean }
  /** The disk of the engine, or of the object store, is full. A new attempt can succeed. */
  | { readonly kind: 'disk_full'; readonly message: string }
  /** The engine does not, or no longer, know the query at this address. A new attempt can succeed. */
  | { readonly kind: 'unknown_query'; readonly message: string }
  /** The engine could not be reached. The same call can succeed later. */
  | { readonly kind: 'unavailable'; readonly message: string };

/** A column as the engine names and types it. */
export interface EngineColumn {
  readonly name: string;
  /** The engine's own type, lower case, for example `varchar` or `decimal(10,2)`. */
  readonly type: string;
  /** The error of an export of this column; absent if it can be exported. */
  readonly refusal?: string;
}

/** A Parquet file of an export in the object store. */
export interface StoredFile {
  /** Below the destination, for example `part-0.parquet`. */
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The folder in the object store for the files of one attempt. Left: the store failed, with the reason. */
export interface ExportDestination {
  /** URL of the folder as an engine reaches it, ends in `/`. */
  readonly url: string;
  /** Stores a local Parquet file, for engines that cannot write to the store. */
  put(name: string, localPath: string): Promise<Either<QueryEngineError, StoredFile>>;
  /** The Parquet files in the folder, including those that the engine wrote directly. */
  storedFiles(): Promise<Either<string, readonly StoredFile[]>>;
}

export interface ExportRequest {
  /** One read-only query; its result columns are looked up by name. */
  readonly sql: string;
  /** The columns to export, in this order. */
  readonly columns: readonly string[];
  /** Catalog that unqualified names refer to, null for the engine's default. */
  readonly catalog: string | null;
  /** User whose permissions apply, for engines that support impersonation; null: unknown. */
  readonly owner?: string | null;
  /** Label that the engine shows with the query, such as `instance:7`. */
  readonly tags?: readonly string[];
  readonly destination: ExportDestination;
  /** A local scratch folder for files that the engine writes here first. Exists and is empty. */
  readonly scratchDirectory: string;
}

/** The state of an export. `nextUri` is the address of the next poll; it may change with every poll. */
export type ExportState =
  | {
      readonly state: 'running';
      readonly queryId: string;
      readonly nextUri: string;
      /** The export runs inside the process that submitted it: others cannot poll it, and it ends with that process. */
      readonly ownedByWorker: boolean;
    }
  | {
      readonly state: 'finished';
      readonly queryId: string;
      /** All files of the export, in its destination; at least one. */
      readonly storedFiles: readonly StoredFile[];
    };

export interface EngineCatalog {
  readonly name: string;
  /** Why the catalog, or a part of it, is currently unreadable; null when all of it is readable. */
  readonly problem: string | null;
  /** The files that are not tables, and why; null when there are none. */
  readonly skipped: string | null;
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
  /** Ordered by position. */
  readonly columns: readonly EngineTableColumn[];
}

/** A table that a query reads, or may read. */
export interface ReadTable {
  readonly catalog: string;
  readonly schema: string;
  /** Its name in the query, in parts. */
  readonly path: readonly string[];
}

/** A row of a table: its values as texts, by column. */
export type SampledRow = Readonly<Record<string, string | null>>;

/** Synchronous calls to the query engine: its catalogs, the validation of a query, and sample rows of a table. */
export interface EngineInspector {
  /** Names and types of a query's result, without running it. */
  describe(sql: string, catalog?: string | null): Promise<Either<QueryEngineError, readonly EngineColumn[]>>;
  /**
   * Every table that the query may read, without running it. For a full name (three parts) that table, whether or not
   * it exists; for a shorter name every existing table of that name. May include common tables.
   */
  tablesOf(sql: string): Promise<Either<QueryEngineError, readonly ReadTable[]>>;
  /** A cheap round trip, for health checks. */
  ping(): Promise<Either<QueryEngineError, void>>;
  /** Decides again how changed files without types of their own, such as CSV, are read. Until then they keep theirs. */
  refresh(): Promise<Either<QueryEngineError, void>>;
  /** Includes catalogs that are currently unreadable. */
  listCatalogs(): Promise<Either<QueryEngineError, readonly EngineCatalog[]>>;
  /** Names of the schemas that contain tables. */
  listSchemas(catalog: string): Promise<Either<QueryEngineError, readonly string[]>>;
  /**
   * A page of a schema's tables with their columns: the first ones by name (in the order of code points) behind
   * `after`, null for the first page. An empty page is the end.
   */
  listTables(
    catalog: string,
    schema: string,
    after: string | null,
  ): Promise<Either<QueryEngineError, readonly EngineTable[]>>;
  /**
   * Arbitrary rows of a table, at most `limit`; long values are cut.
   *
   * @param path Catalog, schema and table.
   * @param user The user whose permissions apply, for engines that support impersonation.
   */
  sampleRows(
    path: readonly [string, string, string],
    limit: number,
    user: string,
  ): Promise<Either<QueryEngineError, readonly SampledRow[]>>;
}

/** The tabular query engine that users' SQL runs on. */
export interface QueryEngine extends EngineInspector {
  /** Starts an export to Parquet. Zero rows give one empty typed file. May answer `finished` right away. */
  submitExport(request: ExportRequest): Promise<Either<QueryEngineError, ExportState>>;
  /** Polls the state of an export of this request; waits up to about a second for a change. */
  pollExport(nextUri: string, request: ExportRequest): Promise<Either<QueryEngineError, ExportState>>;
  /** Cancels a running export; an ended export is not an error. */
  cancelExport(nextUri: string): Promise<Either<QueryEngineError, void>>;
}

/** An engine outside the workers; any process can poll and cancel its exports. */
export interface SharedQueryEngine extends QueryEngine {
  /**
   * Removes what exports started before a time have left in the engine, except their files; returns the number of
   * removed items.
   */
  removeLeftovers(before: Date): Promise<Either<QueryEngineError, number>>;
}
