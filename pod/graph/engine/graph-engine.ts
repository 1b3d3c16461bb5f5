import { type Either } from 'fp-ts/Either';
import { type ExportFormat } from '../../../adapters/contracts/graph-pod/export-formats';
import { type Refusal } from './cypher/analyse-query';
import { type TextPosition } from './cypher/cypher-tokens';
import { type EngineFailure } from './engine-failure';
import { type ExportedRows } from './export/exported-rows';
import { type GraphProperty, type GraphSchema } from './graph-schema';

export type QueryFailure =
  /** The statement is wrong or failed while it ran. */
  | {
      readonly kind: 'rejected';
      readonly message: string;
      readonly position: TextPosition | null;
      /** What the engine wrote, for the log, where the message does not explain it. */
      readonly unexplained?: { readonly reference: string; readonly written: string };
    }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** It needs more memory than queries may take; it would again. */
  | { readonly kind: 'memory' }
  /** The engine's process ended during the query, perhaps because of another one, and is restarted; `message`: how. */
  | { readonly kind: 'crashed'; readonly message: string }
  /** The client disconnected. */
  | { readonly kind: 'abandoned' };

/** The sender of a query. */
export interface QueryClient {
  /** Counts in this name's quota of the slots. */
  readonly name: string;
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
}

/** A client that does not disconnect. */
export const unnamedClient = (): QueryClient => ({ name: '', gone: new AbortController().signal });

export interface GraphQuery {
  /** One reading statement that the gate accepted, as the user sent it. */
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether a relationship may match several times in one MATCH; false unless given. */
  readonly walks?: boolean;
  /** Longest time from now on, waiting included, in milliseconds. */
  readonly timeoutMs: number;
}

/** Limit of rows of an answer in JSON. */
export const MAX_ROWS = 100_000;
/** Limit of the text of all rows of an answer in JSON, and of one row of an export. */
export const MAX_BYTES = 64 * 1024 * 1024;

export const rowTooLarge = (row: number, bytes: number): string =>
  `Row ${row} of the answer takes ${bytes} bytes; the limit is ${MAX_BYTES}. ` +
  'Return parts of its values, for example the first characters of a string or the size of a list.';

export interface GraphAnswer {
  readonly columns: readonly string[];
  /** One per column, as `answerTypeName` names them. */
  readonly columnTypes: readonly string[];
  /** JSON text of the array of rows: integers of any size are exact, so no JavaScript number holds them on the way. */
  readonly rowsJson: string;
  readonly rowCount: number;
  /** More rows exist than the answer holds. */
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
  /** Absent: the engine has `memoryBytes` to itself. */
  readonly podMemory?: PodMemory;
  readonly onCrash: (crash: EngineCrash) => void;
}

/** The memory that all processes of a pod have together. */
export interface PodMemory {
  /** May grow while the pod runs. */
  readonly limitBytes: () => number;
  /** The processes of the pod other than the engine's. */
  readonly processIds: () => readonly number[];
}

/** The engine's process ended and was restarted, or could not be. */
export interface EngineCrash {
  readonly how: string;
  /** It was ended to stop an abandoned run or query, which is not a failure. */
  readonly isWanted: boolean;
  readonly recovered: boolean;
}

/** The algorithms FalkorDB runs itself, by the names of the API. */
export type ProcedureName = 'betweenness' | 'wcc' | 'cdlp';

/** One run, checked against the graph and with every default filled in. */
export interface ProcedureRun {
  readonly name: ProcedureName;
  /** Null: all nodes. */
  readonly nodeLabels: readonly string[] | null;
  /** Null: all edges. */
  readonly relationshipTypes: readonly string[] | null;
  /** `cdlp`: max_iterations; `betweenness`: sampling_size, sampling_seed (null: any); the others have none. */
  readonly parameters: Readonly<Record<string, number | null>>;
  readonly timeoutMs: number;
  /** Where each node's value goes; null when nothing is to be stored. */
  readonly property: GraphProperty | null;
}

export type ProcedureFailure =
  EngineFailure | { readonly kind: 'timeout'; readonly timeoutMs: number } | { readonly kind: 'cancelled' };

/** The algorithms of an engine. The caller holds the instance's lock: one run at a time. */
export interface EngineProcedures {
  /**
   * Runs to the end and, if wanted, stores the values on the nodes; returns how many nodes have one now. When `signal`
   * aborts, the run ends as `cancelled` and stops storing.
   */
  run(run: ProcedureRun, signal: AbortSignal): Promise<Either<ProcedureFailure, number>>;
}

/** The two kinds of tables: a label and an edge type may have the same name. */
export type TableKind = 'nodes' | 'edges';

/**
 * A graph database with one graph, in a separate process. A crash of that process fails the running queries; the engine
 * restarts itself with the loaded data.
 */
export interface GraphEngine {
  readonly kind: 'graphdb_a' | 'graphdb_b';
  /** Whether the read-only gate accepts a text; computed once for each text. */
  analyse(text: string): { readonly refusal: Refusal | null };
  /** Warnings for any answer to a text: names that do not exist, patterns the engine may answer wrongly. */
  warningsOf(text: string, walks?: boolean): readonly string[];
  /** The algorithms the engine runs itself; null where the pod computes them all. */
  readonly procedures: EngineProcedures | null;
  /** Where NaN can be; `node properties` may have it as their value, not inside it. */
  readonly storesNaN: 'anywhere' | 'node properties';
  /** Whether a DATE or TIMESTAMP can be infinite. */
  readonly storesInfiniteTimes: boolean;
  /** Whether integers can have the smallest value of their type, and UUIDs be nil. */
  readonly storesSmallestValues: boolean;
  /** Whether text can hold the character U+0000. */
  readonly storesZeroCharacters: boolean;
  /** Starts the engine's process with an empty database. */
  start(): Promise<Either<EngineFailure, void>>;
  /** Creates empty tables. */
  createSchema(schema: GraphSchema): Promise<Either<EngineFailure, void>>;
  /**
   * Fills the next node or edge table, in the order of the schema, from Parquet files with exactly its columns; returns
   * the number of rows.
   */
  load(kind: TableKind, table: string, parquetFiles: readonly string[]): Promise<Either<EngineFailure, number>>;
  /** After the last load: the data can be queried, and survives a crash of the engine. */
  finishLoading(): Promise<Either<EngineFailure, void>>;
  query(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>>;
  /**
   * All rows of a query. The timeout counts until they can be read. The query counts as running until all rows are read
   * or `return` is called, so one of them must happen.
   */
  exportRows(
    query: GraphQuery,
    format: ExportFormat,
    client?: QueryClient,
  ): Promise<Either<QueryFailure, ExportedRows>>;
  /** Creates the property where it is missing and sets it; all or nothing. Returns the number of nodes. */
  writeNodes(write: NodeWrite): Promise<Either<EngineFailure, number>>;
  /** Process ids of the engine, for measuring memory. */
  processIds(): readonly number[];
  close(): Promise<void>;
}
