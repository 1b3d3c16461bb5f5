import { left } from 'fp-ts/Either';
import { type InstanceClient, type ResultOf } from '../../client';
import { type GRAPHDB_B_ENDPOINTS } from '../../contracts/graph-pod/endpoints';
import { present } from '../action';
import { answered } from '../answered';
import { wrongUsage } from '../failure';
import { type Algorithms, type Run, type Wish } from './algorithms';

/** Kind B: the procedures of its engine, whose values always go to a property. */
export const graphdbBAlgorithms = (pod: InstanceClient<'graphdb_b'>): Algorithms => ({
  list: () =>
    answered(pod.listProcedures(), ({ data }) =>
      data.algorithms.map((one) => ({ ...one, native: true, returns: 'property' })),
    ),
  show: (name) =>
    answered(pod.getProcedure({ params: { algorithm_name: name } }), ({ data }) => ({
      data,
      fields: [
        ['name', data.name],
        ['also called', data.display_name],
        ['category', data.category],
        ['in Cypher', data.cypher_procedure],
        ['takes at most', `${data.default_timeout_ms / 1000} s, unless --timeout says otherwise`],
        ['what it does', data.description],
      ] as const,
      parameters: data.parameters,
    })),
  start: async (wish) => {
    const unknown = unknownOptions(wish);
    if (unknown.length > 0) {
      return left(wrongUsage(`Algorithms of instances of kind B do not take ${unknown.join(', ')}.`));
    }
    if (wish.writeTo === undefined) return left(wrongUsage('Say where the values go: --write-to <property>.'));
    const body = {
      result_property: wish.writeTo,
      ...(wish.labels.length === 0 ? {} : { node_labels: wish.labels }),
      ...(wish.edgeTypes.length === 0 ? {} : { relationship_types: wish.edgeTypes }),
      parameters: wish.parameters,
      ...present('timeout_ms', wish.timeoutMs),
    };
    const input = { params: { algorithm_name: wish.name }, body };
    return answered(pod.startProcedure(input), ({ data }) => ({ id: data.execution_id, data }));
  },
  look: (id) => answered(pod.procedureStatus({ params: { execution_id: id } }), ({ data }) => runOf(data)),
  cancel: (id) => answered(pod.cancelExecution({ params: { execution_id: id } }), ({ data }) => data),
  history: (query) =>
    answered(pod.listProcedureExecutions({ query }), ({ data }) => ({ data, runs: data.executions.map(runOf) })),
});

const unknownOptions = (wish: Wish): readonly string[] => [
  ...(wish.fromLibrary ? ['--library'] : []),
  ...(wish.directed ? ['--directed'] : []),
  ...(wish.weight === undefined ? [] : ['--weight']),
  ...(wish.from === undefined ? [] : ['--from']),
  ...(wish.to === undefined ? [] : ['--to']),
];

const runOf = (data: ResultOf<typeof GRAPHDB_B_ENDPOINTS.procedureStatus>): Run => {
  const ms = data.duration_ms ?? data.elapsed_ms;
  return {
    data,
    id: data.execution_id,
    algorithm: data.algorithm_name,
    status: data.status,
    username: data.user_name,
    startedAt: data.started_at,
    seconds: ms === undefined ? null : ms / 1000,
    progress: null,
    result:
      data.nodes_updated === undefined
        ? null
        : { ...present('property_name', data.result_property ?? undefined), nodes_updated: data.nodes_updated },
    error: data.error_message ?? null,
  };
};
