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

/** The state of an export. `nextUri` is the address to ask next; it may change with every answer. */
export type ExportState =
  | { readonly state: 'running'; readonly queryId: string; readonly nextUri: string }
  | {
      readonly state: 'finished';
      readonly queryId: string;
      /** Local Parquet files the caller now has to put into the destination; empty when the engine wrote there itself. */
      readonly localFiles: readonly string[];
    };

export interface EngineTable {
  readonly name: string;
  /** `TABLE` or `VIEW`. */
  readonly type: string;
}

export interface EngineTableColumn extends EngineColumn {
  readonly nullable: boolean;
  /** From 1. */
  readonly ordinalPosition: number;
  readonly defaultValue: string | null;
}

/** The tabular query engine that users' SQL runs on. */
export interface QueryEngine {
  /** Names and types of a query's result, without running it. */
  describe(sql: string, catalog?: string | null): Promise<Either<QueryEngineError, readonly EngineColumn[]>>;
  /** Starts an export to Parquet. Zero rows give one empty typed file. May answer `finished` right away. */
  submitExport(request: ExportRequest): Promise<Either<QueryEngineError, ExportState>>;
  /** Asks for the state, waiting up to about a second for news. */
  pollExport(nextUri: string): Promise<Either<QueryEngineError, ExportState>>;
  /** Ends a running export; one that ended already is not an error. */
  cancelExport(nextUri: string): Promise<Either<QueryEngineError, void>>;
  /** A cheap round trip, for health checks. */
  ping(): Promise<Either<QueryEngineError, void>>;
  listCatalogs(): Promise<Either<QueryEngineError, readonly string[]>>;
  listSchemas(catalog: string): Promise<Either<QueryEngineError, readonly string[]>>;
  listTables(catalog: string, schema: string): Promise<Either<QueryEngineError, readonly EngineTable[]>>;
  listColumns(
    catalog: string,
    schema: string,
    table: string,
  ): Promise<Either<QueryEngineError, readonly EngineTableColumn[]>>;
}
