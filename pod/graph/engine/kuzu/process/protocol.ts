import { type Either } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import {
  type GraphAnswer,
  type GraphQuery,
  type NodeWrite,
  type QueryFailure,
  type TableKind,
} from '../../graph-engine';
import { type GraphSchema } from '../../graph-schema';
import { type DatabaseOptions } from './kuzu-database';

/**
 * The calls of the pod to the engine's process, and their results. Both ends are built together and the channel is
 * private to them, so messages are typed but not decoded.
 */
export interface EngineCalls {
  readonly open: (options: DatabaseOptions, schema: GraphSchema | null) => void;
  readonly createSchema: (schema: GraphSchema) => void;
  readonly load: (kind: TableKind, table: string, parquetFiles: readonly string[]) => number;
  readonly finishLoading: () => string | null;
  readonly query: (query: GraphQuery) => Either<QueryFailure, GraphAnswer>;
  /** Runs a query for all its rows; returns a number to read them by. */
  readonly openExport: (query: GraphQuery, format: ExportFormat) => Either<QueryFailure, number>;
  /** The next piece, null after the last one. */
  readonly readExport: (id: number) => Uint8Array | null;
  /** Must follow every opened export. */
  readonly closeExport: (id: number) => void;
  readonly writeNodes: (write: NodeWrite) => number;
}

export type EngineCallName = keyof EngineCalls;

export interface EngineRequest<N extends EngineCallName = EngineCallName> {
  readonly id: number;
  readonly name: N;
  readonly parameters: Parameters<EngineCalls[N]>;
}

/** `error` is the engine's message when the call threw. */
export type EngineResponse =
  | { readonly id: number; readonly result: ReturnType<EngineCalls[EngineCallName]> }
  | { readonly id: number; readonly error: string };
