import { type Either } from 'fp-ts/Either';
import { type ExportFormat } from '../../../adapters/contracts/graph-pod/export-formats';
import { type Refusal } from './cypher/analyse-query';
import { type TextPosition } from './cypher/cypher-tokens';
import { type EngineFailure } from './engine-failure';
import { type ExportedRows } from './export/exported-rows';
import { type GraphProperty, type GraphSchema } from './graph-schema';

export type QueryFailure =
  /** The statement is invalid or failed while it ran. */
  | {
      readonly kind: 'rejected';
      readonly message: string;
      readonly position: TextPosition | null;
      /** The engine's message, for the log, if `message` does not explain it. */
      readonly unexplained?: { readonly reference: string; readonly written: string };
    }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** It exceeds the memory limit of queries, or the disk limit of spilled rows; a retry would, too. */
  | { readonly kind: 'memory'; readonly limits?: { readonly memoryBytes: number; readonly spillBytes: number } }
  /**
   * The engine's process ended during the query, perhaps because of another one, and is restarted; `message`: the
   * reason.
   */
  | { readonly kind: 'crashed'; readonly message: string }
  /** The process ended twice while it ran only this query, which must not run again. */
  | { readonly kind: 'fatal'; readonly message: string }
  /** The client disconnected. */
  | { readonly kind: 'abandoned' };

/** The sender of a query. */
export interface QueryClient {
  /** Name under which the query counts in the quota of slots. */
  readonly name: string;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
}

/** A client that does not disconnect. */
export const unnamedClient = (): QueryClient => ({ name: '', disconnected: new AbortController().signal });

export interface GraphQuery {
  /** One reading statement that was accepted, as the user sent it. */
  readonly text: string;
  /** JSON values by name: a bigint is an INTEGER of 64 bits, a number is a FLOAT, also without a fraction. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether a relationship may match several times in one MATCH. Default: false. */
  readonly walks?: boolean;
  /** Timeout from now on, including the wait, in milliseconds. */
  readonly timeoutMs: number;
}

/** Maximum number of rows of an answer in JSON. */
export const MAX_ROWS = 100_000;
/** Maximum size of the text of all rows of an answer in JSON, and of one row of an export. */
export const MAX_BYTES = 64 * 1024 * 1024;

export const rowTooLarge = (row: number, bytes: number): string =>
  `Row ${row} of the answer takes ${bytes} bytes; the limit is ${MAX_BYTES}. ` +
  'Return parts of its values, for example the first characters of a string or the size of a list.';

export interface GraphAnswer {
  readonly columns: readonly string[];
  /** One per column: a property type, NODE, REL, PATH, or ANY for everything else. */
  readonly columnTypes: readonly string[];
  /** JSON text of the array of rows, never parsed to JavaScript numbers, so that integers of any size are exact. */
  readonly rowsJson: string;
  readonly rowCount: number;
  /** Whether rows are missing in the answer. */
  readonly truncated: boolean;
  /** Probable mistakes: a label that the graph does not have. */
  readonly warnings?: readonly string[];
}

/** Values to store on the nodes of one label. */
export interface NodeWrite {
  readonly label: string;
  readonly property: GraphProperty;
  /** A Parquet file with the columns `key` and `value`. */
  readonly parquetFile: string;
}

export interface EngineOptions {
  /** Folder of the database. Files of an earlier run are removed. */
  readonly directory: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** Absent: the engine is the only user of `memoryBytes` and `cpuCores`. */
  readonly podResources?: PodResources;
  readonly onCrash: (crash: EngineCrash) => void;
}

/** The limits shared by all processes of a pod; they may change while it runs. */
export interface PodResources {
  /** Bytes of memory. */
  readonly limitBytes: () => number;
  readonly cores: () => number;
  /** The processes of the pod other than the engine's. */
  readonly processIds: () => readonly number[];
}

/** The engine's process ended and was restarted, or could not be. */
export interface EngineCrash {
  readonly how: string;
  /** Ended to stop an abandoned run or query, which is not a failure. */
  readonly isWanted: boolean;
  readonly recovered: boolean;
}

/** The two kinds of tables: a label and an edge type may have the same name. */
export type TableKind = 'nodes' | 'edges';

/**
 * A graph database with one graph, in a separate process. If that process crashes, the running queries fail and the
 * engine restarts itself with the loaded data.
 */
export interface GraphEngine {
  readonly kind: 'graphdb_a' | 'graphdb_b';
  /** Whether the read-only gate accepts a text; computed once for each text. */
  analyse(text: string): { readonly refusal: Refusal | null };
  /** Warnings for all answers to a text: unknown names. */
  warningsOf(text: string): readonly string[];
  /** Whether text can contain the character U+0000. */
  readonly storesZeroCharacters: boolean;
  /** Starts the engine's process with an empty database. */
  start(): Promise<Either<EngineFailure, void>>;
  /** Creates empty tables. */
  createSchema(schema: GraphSchema): Promise<Either<EngineFailure, void>>;
  /**
   * Loads the next node or edge table, in the order of the schema, from Parquet files with exactly its columns; returns
   * the number of rows.
   */
  load(kind: TableKind, table: string, parquetFiles: readonly string[]): Promise<Either<EngineFailure, number>>;
  /** Called after the last load: the data can then be queried, and survives a crash of the engine. */
  finishLoading(): Promise<Either<EngineFailure, void>>;
  query(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>>;
  /**
   * All rows of a query. The timeout applies until they can be read. The query counts as running until all rows are
   * read or `return` is called, so one of them must happen.
   */
  exportRows(
    query: GraphQuery,
    format: ExportFormat,
    client?: QueryClient,
  ): Promise<Either<QueryFailure, ExportedRows>>;
  /** Creates the property if it is missing and sets it, atomically. Returns the number of nodes. */
  writeNodes(write: NodeWrite): Promise<Either<EngineFailure, number>>;
  /** Process ids of the engine, to measure memory. */
  processIds(): readonly number[];
  close(): Promise<void>;
}
