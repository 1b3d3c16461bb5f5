import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceClient, type ResultOf } from '../../client';
import { type GRAPHDB_A_ENDPOINTS } from '../../contracts/graph-pod/endpoints';
import { present } from '../action';
import { answered } from '../answered';
import { type CliFailure, wrongUsage } from '../failure';
import { type Algorithms, type Run, type Wish } from './algorithms';

type Native = ResultOf<typeof GRAPHDB_A_ENDPOINTS.listAlgorithms>['algorithms'][number];

/** Kind A: its own algorithms and those of the graph library as one list; its own come first where names are equal. */
export const graphdbAAlgorithms = (pod: InstanceClient<'graphdb_a'>): Algorithms => {
  const natives = () => answered(pod.listAlgorithms(), ({ data }) => data.algorithms);
  /** Null for what the library has to know. */
  const findNative = async (name: string, fromLibrary: boolean): Promise<Either<CliFailure, Native | null>> => {
    if (fromLibrary) return right(null);
    const all = await natives();
    return isLeft(all) ? all : right(all.right.find((one) => one.name === name) ?? null);
  };
  return {
    list: async () => {
      const own = await natives();
      if (isLeft(own)) return own;
      return answered(pod.listGraphlibAlgorithms(), ({ data }) => [
        ...own.right.map((one) => ({ ...one, native: true })),
        ...data.algorithms.map((one) => ({ ...one, native: false })),
      ]);
    },
    show: async (name, fromLibrary) => {
      const native = await findNative(name, fromLibrary);
      if (isLeft(native)) return native;
      return native.right === null
        ? answered(pod.getGraphlibAlgorithm({ params: { name } }), ({ data }) => ({
            data,
            fields: [
              ['name', data.name],
              ['aliases', data.aliases.join(', ')],
              ['from', 'the graph library'],
              ['category', data.category],
              ['answers', data.returns],
              ['graph', data.graph],
              ['takes --weight', data.supports_weights ? 'yes' : 'no'],
              ['takes --write-to', data.supports_write_back ? 'yes' : 'no'],
              ...(data.most_nodes === null ? [] : [['most nodes', data.most_nodes] as const]),
              ...(data.most_edges === null ? [] : [['most edges', data.most_edges] as const]),
              ['what it does', data.long_description],
            ],
            parameters: data.params,
          }))
        : answered(pod.getAlgorithm({ params: { name } }), ({ data }) => ({
            data,
            fields: [
              ['name', data.name],
              ['from', 'the instance'],
              ['category', data.category],
              ['answers', data.returns],
              ['what it does', `${data.description} ${data.long_description}`.trim()],
            ],
            parameters: data.parameters.map((one) => ({ ...one, name: optionOf(one.name) })),
          }));
    },
    start: async (wish) => {
      if (wish.labels.length > 1)
        return left(wrongUsage('Instances of kind A run over one --label, or over all nodes.'));
      const native = await findNative(wish.name, wish.fromLibrary);
      if (isLeft(native)) return native;
      const params = { name: wish.name };
      if (native.right === null) {
        const body = libraryBody(wish);
        return answered(pod.startGraphlibAlgorithm({ params, body }), ({ data }) => ({ id: data.execution_id, data }));
      }
      const body = nativeBody(native.right, wish);
      if (isLeft(body)) return body;
      return answered(pod.startAlgorithm({ params, body: body.right }), ({ data }) => ({
        id: data.execution_id,
        data,
      }));
    },
    look: (id) => answered(pod.algorithmStatus({ params: { execution_id: id } }), ({ data }) => runOf(data)),
    cancel: (id) => answered(pod.cancelExecution({ params: { execution_id: id } }), ({ data }) => data),
    history: (query) =>
      answered(pod.listExecutions({ query }), ({ data }) => ({ data, runs: data.executions.map(runOf) })),
  };
};

const chosenGraph = (wish: Wish): Readonly<Record<string, unknown>> => ({
  ...present('node_label', wish.labels[0]),
  ...(wish.edgeTypes.length === 0 ? {} : { edge_types: wish.edgeTypes }),
  ...present('property_name', wish.writeTo),
  ...present('weight_property', wish.weight),
  ...(wish.directed ? { directed: true } : {}),
});

const libraryBody = (wish: Wish): Readonly<Record<string, unknown>> => ({
  ...chosenGraph(wish),
  ...present('source', wish.from),
  ...present('target', wish.to),
  ...present('timeout_ms', wish.timeoutMs),
  params: wish.parameters,
});

const OPTION_OF: Readonly<Record<string, string>> = {
  node_label: '--label',
  edge_types: '--edge-type',
  property_name: '--write-to',
  weight_property: '--weight',
  directed: '--directed',
  source_id: '--from',
  target_id: '--to',
};

/** How a field of the body is given here. */
const optionOf = (field: string): string => OPTION_OF[field] ?? `-p ${field}`;

/** A native algorithm takes everything as fields of the body; what it does not know is told by its option here. */
const nativeBody = (
  { name, parameters }: Native,
  wish: Wish,
): Either<CliFailure, Readonly<Record<string, unknown>>> => {
  const body = {
    ...chosenGraph(wish),
    ...present('source_id', wish.from),
    ...present('target_id', wish.to),
    ...wish.parameters,
  };
  const takes = `${name} takes ${parameters.map((one) => optionOf(one.name)).join(', ')}.`;
  const unknown = Object.keys(body).filter((field) => parameters.every((one) => one.name !== field));
  if (unknown.length > 0) return left(wrongUsage(`${name} does not take ${unknown.map(optionOf).join(', ')}.`, takes));
  const missing = parameters.filter((one) => one.required && !(one.name in body));
  if (missing.length > 0) {
    const words = missing.map((one) => `${optionOf(one.name)} (${one.description.replace(/\.$/, '')})`).join(', ');
    const otherwise = 'property_name' in body || !missing.some((one) => one.name === 'property_name');
    return left(
      wrongUsage(
        `${name} needs ${words}.`,
        ...(otherwise ? [] : ['Algorithms of the graph library answer the values without it; see --library.']),
      ),
    );
  }
  return right({ ...body, ...present('timeout_ms', wish.timeoutMs) });
};

const runOf = (data: ResultOf<typeof GRAPHDB_A_ENDPOINTS.algorithmStatus>): Run => ({
  data,
  id: data.execution_id,
  algorithm: data.algorithm,
  status: data.status,
  username: data.user_name,
  startedAt: data.started_at,
  seconds: data.duration_seconds ?? data.elapsed_seconds ?? null,
  progress: data.progress ?? null,
  result: data.result ?? null,
  error: data.error ?? null,
});
