import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type DuckdbLimits } from '../../duckdb/duckdb-session';
import { type GraphAnswer, type NodeWrite } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type CompiledQuery, type PlainValue } from './compile/compiled-query';
import { type Type } from './compile/type';
import { type TableLoad } from './load-statements';

export interface GraphLimits {
  readonly memoryBytes: number;
  readonly threads: number;
  readonly spillBytes: number;
}

/** The titles and types of the columns of an answer. */
export type AnswerColumns = Pick<CompiledQuery, 'columns' | 'columnTypes' | 'nestedTypes'>;

/** A SELECT with its values for `$1`, `$2`, … */
export interface BoundSelect extends AnswerColumns {
  readonly sql: string;
  readonly mostRows: number;
  readonly values: readonly BoundValue[];
}

export interface BoundValue {
  readonly type: Type;
  readonly value: PlainValue;
}

/** The calls to the process of a graph database. They reject with the error of DuckDB or an `AnswerFault`. */
export interface DatabaseCalls {
  /** Returns the number of rows. */
  readonly load: (load: TableLoad) => Promise<number>;
  readonly finishLoading: () => Promise<void>;
  /** Applies from now on. */
  readonly applyLimits: (limits: GraphLimits) => Promise<void>;
  /** A query has a number of its own. */
  readonly answer: (query: number, select: BoundSelect) => Promise<GraphAnswer>;
  /** Computes all rows and returns the first chunk. `endExport` must follow. */
  readonly beginExport: (query: number, select: BoundSelect, format: ExportFormat) => Promise<Uint8Array | null>;
  /** The next chunk, null after the last one. */
  readonly nextOfExport: (query: number) => Promise<Uint8Array | null>;
  readonly endExport: (query: number) => Promise<void>;
  /** The plan of a SELECT as text; `analyze`: with what running it took. */
  readonly explain: (query: number, select: BoundSelect, analyze: boolean) => Promise<string>;
  /** Interrupts a query: what runs, and what follows. */
  readonly interrupt: (query: number) => Promise<void>;
  /** Builds the table of a label with the values; returns the number of nodes in the file. `replaceTable` follows. */
  readonly writeNodes: (schema: GraphSchema, write: NodeWrite, scratch: DuckdbLimits) => Promise<number>;
  /** Replaces the table of a label by the built one, unless that was done. */
  readonly replaceTable: (label: number) => Promise<void>;
}

/** The first message to the process, and the folder of its database: a new one, or one that an earlier process left. */
export interface OpenMessage {
  readonly directory: string;
  readonly limits: GraphLimits;
  readonly isLoaded: boolean;
}

export interface CallMessage<Name extends keyof DatabaseCalls = keyof DatabaseCalls> {
  readonly call: number;
  readonly name: Name;
  readonly parameters: Parameters<DatabaseCalls[Name]>;
}

/** The outcome of a call; that of opening has the number 0. */
export type ReplyMessage = { readonly call: number } & (
  | { readonly value: unknown }
  /** `isFault`: the error is an `AnswerFault`. */
  | { readonly error: string; readonly isFault: boolean }
);
