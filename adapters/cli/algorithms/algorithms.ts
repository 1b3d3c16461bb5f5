import { left } from 'fp-ts/Either';
import { type InstanceClient, type ResultOf } from '../../client';
import { type GRAPHDB_A_ENDPOINTS, type GRAPHDB_B_ENDPOINTS } from '../../contracts/graph-pod/endpoints';
import { type CommandInput } from '../action';
import { type Answer, answered, usageError } from '../failure';

/** An algorithm to run; the body of the options depends on the kind of the instance. */
export interface AlgorithmRequest {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number | undefined;
  /** Number of values to return; undefined: all. */
  readonly top: number | undefined;
  readonly input: CommandInput;
}

export type NativeAlgorithm = ResultOf<typeof GRAPHDB_A_ENDPOINTS.listAlgorithms>['algorithms'][number];

/** `native`: built into the instance, not from the graph library. */
export type ListedAlgorithm = Pick<NativeAlgorithm, 'name' | 'category' | 'returns' | 'description'> & {
  readonly native: boolean;
};

/**
 * A run in the format of `graphdb_a`. `data`: in the format of its own instance; `isPartition`: its values are groups.
 */
export type Run = ResultOf<typeof GRAPHDB_A_ENDPOINTS.algorithmStatus> & {
  readonly data: object;
  readonly isPartition?: boolean;
};

export const STATES = ['running', 'completed', 'failed', 'cancelled'] as const;

export interface Algorithms {
  readonly list: () => Answer<readonly ListedAlgorithm[]>;
  readonly show: (
    name: string,
    fromLibrary: boolean,
  ) => Answer<{ readonly data: object; readonly parameters: NativeAlgorithm['parameters'] }>;
  readonly start: (
    request: AlgorithmRequest,
  ) => Answer<{ readonly execution_id: string; readonly warnings?: readonly string[] }>;
  readonly status: (id: string) => Answer<Run>;
  readonly cancel: (id: string) => Answer<object>;
  readonly history: (query: {
    readonly limit: number | undefined;
    readonly status_filter: (typeof STATES)[number] | undefined;
  }) => Answer<{ readonly data: object; readonly runs: readonly Run[] }>;
}

/** Options of graphdb_a only. */
const UNKNOWN_OPTIONS = ['library', 'directed', 'weight', 'from', 'to'];

/** The procedures of FalkorDB; they always store their values in a property. */
export const falkordbAlgorithms = (pod: InstanceClient<'graphdb_b'>): Algorithms => ({
  list: () =>
    answered(pod.listProcedures(), ({ data }) =>
      data.algorithms.map((one) => ({ ...one, native: true, returns: 'property' })),
    ),
  show: (name) =>
    answered(pod.getProcedure({ params: { algorithm_name: name } }), ({ data }) => ({
      data,
      parameters: data.parameters,
    })),
  start: async (request) => {
    const unknown = UNKNOWN_OPTIONS.filter((option) => request.input.value(option) !== undefined);
    if (unknown.length > 0) {
      return left(usageError(`graphdb_b does not support --${unknown.join(', --')}.`));
    }
    const { name, parameters, timeoutMs, input } = request;
    const [labels, types, writeTo] = [input.texts('label'), input.texts('edge-type'), input.text('write-to')];
    if (writeTo === undefined) return left(usageError('--write-to <property> is required on graphdb_b.'));
    const body = {
      result_property: writeTo,
      node_labels: labels.length === 0 ? undefined : labels,
      relationship_types: types.length === 0 ? undefined : types,
      parameters,
      timeout_ms: timeoutMs,
    };
    const params = { algorithm_name: name };
    return answered(pod.startProcedure({ params, body }), ({ data }) => data);
  },
  status: (id) => answered(pod.procedureStatus({ params: { execution_id: id } }), ({ data }) => runOf(data)),
  cancel: (id) => answered(pod.cancelExecution({ params: { execution_id: id } }), ({ data }) => data),
  history: (query) =>
    answered(pod.listProcedureExecutions({ query }), ({ data }) => ({ data, runs: data.executions.map(runOf) })),
});

const runOf = (data: ResultOf<typeof GRAPHDB_B_ENDPOINTS.procedureStatus>): Run => {
  const { result_property: property, nodes_updated: updated, elapsed_ms: elapsed, duration_ms: duration } = data;
  return {
    data,
    execution_id: data.execution_id,
    algorithm: data.algorithm_name,
    algorithm_type: data.algorithm_type,
    status: data.status,
    started_at: data.started_at,
    user_name: data.user_name,
    elapsed_seconds: elapsed === undefined ? undefined : elapsed / 1000,
    duration_seconds: duration === undefined ? undefined : duration / 1000,
    result: updated === undefined ? undefined : { property_name: property ?? undefined, nodes_updated: updated },
    error: data.error_message,
    warnings: data.warnings,
    iterations: data.iterations,
    last_change: data.last_change,
  };
};
