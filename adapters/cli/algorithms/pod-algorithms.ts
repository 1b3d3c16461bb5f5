import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mapRight } from '../../../domain/kernel/either';
import { type InstanceClient, type ResultOf } from '../../client';
import { type GRAPHDB_A_ENDPOINTS } from '../../contracts/graph-pod/endpoints';
import { type CommandInput } from '../action';
import { type Answer, answered, type CliFailure, usageError } from '../failure';
import { type AlgorithmRequest, type Algorithms, type NativeAlgorithm, type Run } from './algorithms';

type Pod = InstanceClient<'graphdb_a'>;

/** Native algorithms and those of the graph library in one list; native ones first. */
export const podAlgorithms = (pod: Pod): Algorithms => ({
  list: async () => {
    const own = await natives(pod);
    if (isLeft(own)) return own;
    return answered(pod.listGraphlibAlgorithms(), ({ data }) => [
      ...own.right.map((one) => ({ ...one, native: true })),
      ...data.algorithms.map((one) => ({ ...one, native: false })),
    ]);
  },
  show: async (name, fromLibrary) => {
    const native = await findNative(pod, name, fromLibrary);
    if (isLeft(native)) return native;
    if (native.right === null) {
      return mapRight(await libraryAlgorithm(pod, name), (data) => ({ data, parameters: data.params }));
    }
    return answered(pod.getAlgorithm({ params: { name } }), ({ data }) => ({
      data,
      parameters: data.parameters.map((one) => ({ ...one, name: optionOf(one.name) })),
    }));
  },
  start: async (request) => {
    const { name, input } = request;
    if (input.texts('label').length > 1)
      return left(usageError('graphdb_a accepts one --label, or none for all nodes.'));
    const native = await findNative(pod, name, input.flag('library'));
    if (isLeft(native)) return native;
    if (native.right === null) {
      const sent = { params: { name }, body: { ...libraryBody(request), top: await topOf(pod, request) } };
      return answered(pod.startGraphlibAlgorithm(sent), ({ data }) => data);
    }
    const body = nativeBody(native.right, request);
    if (isLeft(body)) return body;
    const sent = { params: { name }, body: body.right };
    return answered(pod.startAlgorithm(sent), ({ data }) => data);
  },
  status: async (id) => {
    const run = await answered(pod.algorithmStatus({ params: { execution_id: id } }), ({ data }) => runOf(data));
    if (isLeft(run) || run.right.result?.values === undefined) return run;
    return right({ ...run.right, isPartition: isPartition(await libraryAlgorithm(pod, run.right.algorithm)) });
  },
  cancel: (id) => answered(pod.cancelExecution({ params: { execution_id: id } }), ({ data }) => data),
  history: (query) =>
    answered(pod.listExecutions({ query }), ({ data }) => ({ data, runs: data.executions.map(runOf) })),
});

const runOf = (data: ResultOf<typeof GRAPHDB_A_ENDPOINTS.algorithmStatus>): Run => ({ ...data, data });

const natives = (pod: Pod) => answered(pod.listAlgorithms(), ({ data }) => data.algorithms);

/** Null: not a native algorithm. */
const findNative = async (pod: Pod, name: string, fromLibrary: boolean): Answer<NativeAlgorithm | null> => {
  if (fromLibrary) return right(null);
  const all = await natives(pod);
  return isLeft(all) ? all : right(all.right.find((one) => one.name === name) ?? null);
};

type LibraryAlgorithm = ResultOf<typeof GRAPHDB_A_ENDPOINTS.getGraphlibAlgorithm>;
const libraryAlgorithm = (pod: Pod, name: string): Answer<LibraryAlgorithm> =>
  answered(pod.getGraphlibAlgorithm({ params: { name } }), ({ data }) => data);

const PARTITIONS = ['community', 'components'];
const isPartition = (found: Either<CliFailure, LibraryAlgorithm>): boolean =>
  !isLeft(found) && PARTITIONS.includes(found.right.category);

const chosenGraph = (input: CommandInput) => ({
  node_label: input.texts('label')[0],
  edge_types: input.texts('edge-type').length === 0 ? undefined : input.texts('edge-type'),
  property_name: input.text('write-to'),
  weight_property: input.text('weight'),
  directed: input.flag('directed') || undefined,
});

/** Sent only for values of nodes; the groups of a partition need all values. */
const topOf = async (pod: Pod, { name, top, input }: AlgorithmRequest): Promise<number | undefined> => {
  if (top === undefined || input.text('write-to') !== undefined) return undefined;
  const found = await libraryAlgorithm(pod, name);
  const hasTop = !isLeft(found) && found.right.returns === 'node_values' && !isPartition(found);
  return hasTop ? Math.min(top, MAX_TOP) : undefined;
};

const MAX_TOP = 100_000;

const libraryBody = ({ input, parameters, timeoutMs }: AlgorithmRequest) => ({
  ...chosenGraph(input),
  source: input.text('from'),
  target: input.text('to'),
  timeout_ms: timeoutMs,
  params: parameters,
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

/** The option that sets a field of the body. */
const optionOf = (field: string): string => OPTION_OF[field] ?? `-p ${field}`;

/** Native algorithms accept all options as fields of the body. */
const nativeBody = (
  { name, parameters }: NativeAlgorithm,
  { input, parameters: values, timeoutMs }: AlgorithmRequest,
): Either<CliFailure, Readonly<Record<string, unknown>>> => {
  const ends = { source_id: input.text('from'), target_id: input.text('to') };
  const fields = { ...chosenGraph(input), ...ends, ...values };
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const unknown = Object.keys(body).filter((field) => parameters.every((one) => one.name !== field));
  if (unknown.length > 0) {
    const supported = `Supported: ${parameters.map((one) => optionOf(one.name)).join(', ')}.`;
    return left(usageError(`${name} does not support ${unknown.map(optionOf).join(', ')}.`, supported));
  }
  const missing = parameters.filter((one) => one.required && !(one.name in body));
  if (missing.length === 0) return right({ ...body, timeout_ms: timeoutMs });
  const list = missing.map((one) => `${optionOf(one.name)} (${one.description.replace(/\.$/, '')})`).join(', ');
  const advice = 'To print the values, use the graph library: --library.';
  const storing = missing.some((one) => one.name === 'property_name');
  return left(usageError(`${name} requires ${list}.`, ...(storing ? [advice] : [])));
};
