import { type Either } from 'fp-ts/Either';
import { type ExportFormat } from '../../../adapters/contracts/graph-pod/export-formats';
import { type EngineFailure } from './engine-failure';
import { type EngineProcedures } from './engine-procedures';
import { type ExportedRows } from './export/exported-rows';
import { type GraphProperty, type GraphSchema } from './graph-schema';
import { type AnalysedQuery } from './query/analyse-query';
import { type TextPosition } from './query/cypher-tokens';

export type QueryFailure =
  /** The statement is wrong or failed while it ran. */
  | { readonly kind: 'rejected'; readonly message: string; readonly position: TextPosition | null }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** It needs more memory than queries may take; it would again. */
  | { readonly kind: 'memory' }
  /** The engine's process ended under the query, whose fault it need not be, and is restarted; `message` tells how. */
  | { readonly kind: 'crashed'; readonly message: string }
  /** The client has gone away. */
  | { readonly kind: 'abandoned' };

/** Who asks a query. */
export interface QueryClient {
  /** Whose share of the slots it takes. */
  readonly name: string;
  /** Aborts when the client has gone away: nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

/** A client that does not disconnect. */
export const unnamedClient = (): QueryClient => ({ name: '', gone: new AbortController().signal });

export interface GraphQuery {
  /** One reading statement the gate let through, as the user sent it. */
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Longest time from now on, waiting included, in milliseconds. */
  readonly timeoutMs: number;
}

/** Rows an answer in JSON holds. */
export const MAX_ROWS = 100_000;
/** What the rows of an answer in JSON, or one row of an export, may take as text. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Why a query with such a row is refused. */
export const rowTooLarge = (row: number, bytes: number): string =>
  `Row ${row} of the answer takes ${bytes} bytes, and an answer may hold ${MAX_BYTES}. ` +
  'Return less of its values, for example the first characters of a text or the size of a list.';

export interface GraphAnswer {
  readonly columns: readonly string[];
  /** One per column, as `answerTypeName` names them. */
  readonly columnTypes: readonly string[];
  /** JSON text of the array of rows: integers of any size are exact, so no JavaScript number holds them on the way. */
  readonly rowsJson: string;
  readonly rowCount: number;
  /** More rows exist than the answer holds. */
  readonly truncated: boolean;
  /** What is probably not meant, for people: a label the graph does not have. */
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
  /** Folder the database lives in. What is there from an earlier run is thrown away. */
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
  /** The processes beside the engine's. */
  readonly processIds: () => readonly number[];
}

/** The engine's process ended and was restarted, or could not be. */
export interface EngineCrash {
  readonly how: string;
  /** It was ended for a run or a query that nobody waits for any more, which is no failure. */
  readonly isWanted: boolean;
  readonly recovered: boolean;
}

/** The two kinds of tables: a label and an edge type may have the same name. */
export type TableKind = 'nodes' | 'edges';

/**
 * One graph database holding one graph, in a process of its own. A crash of that process fails what is in flight; the
 * engine restarts itself with the loaded data and goes on.
 */
export interface GraphEngine {
  readonly kind: 'graphdb_a' | 'graphdb_b';
  /** What the words of a text tell, and whether the read-only gate lets it through; made once for each text. */
  readonly analyse: (text: string) => AnalysedQuery;
  /** What people should know of any answer to a text: names that do not exist, patterns the engine may answer wrongly. */
  readonly warningsOf: (text: string) => readonly string[];
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
   * Fills the next node or edge table, in the order of the schema, from Parquet files with exactly its columns; answers
   * the number of rows.
   */
  load(kind: TableKind, table: string, parquetFiles: readonly string[]): Promise<Either<EngineFailure, number>>;
  /** After the last load: the data can be queried, and survives a crash of the engine. */
  finishLoading(): Promise<Either<EngineFailure, void>>;
  query(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>>;
  /**
   * All rows of a query. The timeout counts until they can be read. It counts as a running query until the rows have
   * ended or are given up, so they have to be.
   */
  exportRows(
    query: GraphQuery,
    format: ExportFormat,
    client?: QueryClient,
  ): Promise<Either<QueryFailure, ExportedRows>>;
  /** Creates the property where it is missing and sets it; all or nothing. Answers the number of nodes. */
  writeNodes(write: NodeWrite): Promise<Either<EngineFailure, number>>;
  /** Process ids of the engine, for measuring memory. */
  processIds(): readonly number[];
  close(): Promise<void>;
}
