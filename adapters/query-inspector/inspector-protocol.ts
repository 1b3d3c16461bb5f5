import { type Either } from 'fp-ts/Either';
import * as t from 'io-ts';
import { oneOf } from '../../domain/kernel/codecs';
import { type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';

/**
 * The calls of the control plane to a process with the query engine, and their results. Both ends are built
 * together and the channel is private to them, so messages are typed but not decoded.
 */
export type InspectorCallName = keyof EngineInspector;

export type InspectorAnswer<N extends InspectorCallName> = Awaited<ReturnType<EngineInspector[N]>>;

export interface InspectorRequest<N extends InspectorCallName = InspectorCallName> {
  readonly id: number;
  readonly name: N;
  readonly parameters: Parameters<EngineInspector[N]>;
  /** Paths of files to leave out. */
  readonly leftOut: readonly string[];
}

export interface InspectorResponse {
  readonly id: number;
  readonly result: Either<QueryEngineError, unknown>;
}

/** Which files of the warehouse are being opened, the first begun first. */
export interface InspectorNotice {
  readonly opening: readonly string[];
}

/** The environment variables set by the control plane. */
export const InspectorEnvironment = t.intersection([
  t.strict({
    ROWGRAPH_WAREHOUSE_DIR: t.string,
    ROWGRAPH_INSPECTOR_SCRATCH_DIR: t.string,
    ROWGRAPH_INSPECTOR_MEMORY_MB: t.string,
    /** `off`: error messages contain only names from the query itself. */
    ROWGRAPH_INSPECTOR_HINTS: oneOf('on', 'off'),
  }),
  t.partial({
    ROWGRAPH_CSV_LAYOUT_DIR: t.string,
  }),
]);
export type InspectorEnvironment = t.TypeOf<typeof InspectorEnvironment>;
