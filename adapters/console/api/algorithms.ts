import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type AlgorithmResult, cypherName, highestFirst, type InstanceOperations, runRowsOf } from '../../client/web';
import {
  type Algorithm,
  type AlgorithmField,
  type AlgorithmRun,
  commonField,
  fieldOf,
  type RunResult,
} from './algorithm';
import { need } from './failure';
import { type Address, useRunQuery } from './queries';
import { useSession } from './session';

type Pod<K extends 'graphdb_a' | 'graphdb_b'> = InstanceOperations<K>;

const LIVE_MS = 1_000;
/** Maximum number of values to read of each label, highest first. */
const MOST_VALUES = 10_000;

/** The client of an instance, by its kind. */
const usePod = ({ kind, url }: Address) => {
  const session = useSession();
  return kind === 'graphdb_a'
    ? { kind, pod: session.instance(kind, url) as Pod<'graphdb_a'> }
    : { kind, pod: session.instance(kind, url) as Pod<'graphdb_b'> };
};

/** All algorithms of an instance. */
export const useAlgorithms = (address: Address) => {
  const of = usePod(address);
  return useQuery({
    queryKey: ['algorithms', address.url],
    staleTime: Infinity,
    queryFn: async (): Promise<readonly Algorithm[]> => {
      if (of.kind === 'graphdb_b') return withFamily(await need(of.pod.listProcedures()), 'procedure');
      const own = await need(of.pod.listAlgorithms());
      return [...withFamily(own, 'native'), ...withFamily(await need(of.pod.listGraphlibAlgorithms()), 'library')];
    },
  });
};

interface Listed {
  readonly algorithms: readonly Omit<Algorithm, 'family'>[];
}

const withFamily = ({ algorithms }: Listed, family: Algorithm['family']): readonly Algorithm[] =>
  algorithms.map((one) => ({ ...one, family }));

/** The fields of an algorithm's request, from its signature. */
export const useFields = (address: Address, { family, name }: Algorithm) => {
  const of = usePod(address);
  return useQuery({
    queryKey: ['algorithm', address.url, family, name],
    staleTime: Infinity,
    queryFn: async (): Promise<readonly AlgorithmField[]> => {
      if (of.kind === 'graphdb_b') {
        const { parameters } = await need(of.pod.getProcedure({ params: { algorithm_name: name } }));
        return [
          commonField('result_property', 'string', 'Property the values are stored in.', true),
          commonField('node_labels', 'array of string', 'Labels of the nodes; default: all.'),
          commonField('relationship_types', 'array of string', 'Edge types to use; default: all.'),
          ...parameters.map((one) => fieldOf(one, 'parameters')),
        ];
      }
      if (family === 'library') return libraryFields(of.pod, name);
      return (await need(of.pod.getAlgorithm({ params: { name } }))).parameters.map((one) => fieldOf(one, null));
    },
  });
};

const libraryFields = async (pod: Pod<'graphdb_a'>, name: string): Promise<readonly AlgorithmField[]> => {
  const found = await need(pod.getGraphlibAlgorithm({ params: { name } }));
  const ends = ['source', 'target'].filter((end) => end in found.example.body);
  return [
    ...ends.map((end) => commonField(end, 'string', `Key of the node at the ${end}, or Label:key.`, true)),
    commonField('node_label', 'string', 'Label of the nodes; default: all.'),
    commonField('edge_types', 'array of string', 'Edge types to use; default: all between the nodes.'),
    ...(found.supports_write_back
      ? [commonField('property_name', 'string', 'Property the values are stored in; default: they are shown only.')]
      : []),
    ...(found.graph === 'either' ? [commonField('directed', 'boolean', 'Follow edges in their direction only.')] : []),
    ...(found.supports_weights ? [commonField('weight_property', 'string', 'Numeric edge property.')] : []),
    ...found.params.map((one) => fieldOf(one, 'params')),
  ];
};

/** The last runs of an instance, polled. */
export const useRuns = (address: Address) => {
  const of = usePod(address);
  return useQuery({
    queryKey: ['runs', address.url],
    refetchInterval: LIVE_MS,
    queryFn: async (): Promise<readonly AlgorithmRun[]> => {
      if (of.kind === 'graphdb_b')
        return (await need(of.pod.listProcedureExecutions())).executions.map((one) => ({
          ...runOf(one),
          algorithm: one.algorithm_name,
          family: 'procedure',
          ms: one.duration_ms ?? one.elapsed_ms ?? 0,
          progress: null,
          error: one.error_message ?? null,
          property: one.result_property,
        }));
      return (await need(of.pod.listExecutions())).executions.map((one) => ({
        ...runOf(one),
        algorithm: one.algorithm,
        family: one.algorithm_type === 'native' ? 'native' : 'library',
        ms: 1000 * (one.duration_seconds ?? one.elapsed_seconds ?? 0),
        progress: one.progress ?? null,
        error: one.error ?? null,
        property: one.result?.property_name ?? null,
      }));
    },
  });
};

interface SentRun extends Pick<AlgorithmRun, 'status'> {
  readonly execution_id: string;
  readonly started_at: string;
  readonly user_name: string;
  readonly warnings?: readonly string[] | undefined;
}
const runOf = ({ execution_id: id, started_at: startedAt, user_name: username, status, warnings = [] }: SentRun) => ({
  id,
  startedAt,
  username,
  status,
  warnings,
});

interface StartedRun {
  readonly execution_id: string;
  readonly warnings?: readonly string[] | undefined;
}

/** Starts or cancels a run. */
export const useRunControl = (address: Address) => {
  const of = usePod(address);
  return {
    /** Returns the id of the run, and warnings about its request. */
    start: async ({ family, name }: Algorithm, body: Readonly<Record<string, unknown>>): Promise<StartedRun> => {
      if (of.kind === 'graphdb_b') {
        const { result_property: property } = body;
        const sent = { ...body, result_property: typeof property === 'string' ? property : '' };
        return need(of.pod.startProcedure({ params: { algorithm_name: name }, body: sent }));
      }
      if (family === 'native') return need(of.pod.startAlgorithm({ params: { name }, body }));
      return need(of.pod.startGraphlibAlgorithm({ params: { name }, body }));
    },
    cancel: (id: string) => need(of.pod.cancelExecution({ params: { execution_id: id } })),
  };
};

/** The result of a completed run: the stored values, or those in its result. */
export const useRunResult = (address: Address, { id, property }: AlgorithmRun) => {
  const of = usePod(address);
  const runQuery = useRunQuery(address);
  const cache = useQueryClient();
  return useQuery({
    queryKey: ['result', address.url, id],
    queryFn: async ({ signal }): Promise<RunResult> => {
      if (property === null && of.kind === 'graphdb_a')
        return shownResult((await need(of.pod.algorithmStatus({ params: { execution_id: id } }))).result ?? {});
      // A run may have added the property after the schema was read.
      const schema = await need(of.pod.schema({ signal }));
      cache.setQueryData(['schema', address.url], schema);
      const tables = schema.node_tables.filter(({ properties }) => property !== null && property in properties);
      const [labels, p] = [tables.map(({ label }) => label), cypherName(property ?? '')];
      const rows: (readonly unknown[])[] = [];
      let isTruncated = false;
      for (const { label, primary_key } of tables) {
        const query = `MATCH (n:${cypherName(label)}) WHERE n.${p} IS NOT NULL RETURN n.${cypherName(primary_key)}, n.${p} ORDER BY n.${p} DESC LIMIT ${MOST_VALUES}`;
        const answer = await runQuery({ query, parameters: {} }, signal);
        isTruncated ||= answer.rows.length >= MOST_VALUES;
        for (const row of answer.rows) rows.push([label, ...row]);
      }
      return {
        columns: ['label', 'node', property ?? ''],
        rows: highestFirst(rows, 2),
        labels,
        isTruncated,
      };
    },
  });
};

/** The values of a result that is not stored; a path as its nodes. */
const shownResult = (result: AlgorithmResult): RunResult => {
  const { columns, rows } = runRowsOf(result) ?? {
    columns: result.path === undefined ? ['value'] : ['step', 'node'],
    rows: result.path?.map((node, step) => [step, node]) ?? [[result.value ?? null]],
  };
  return { columns, rows: rows.slice(0, MOST_VALUES), labels: [], isTruncated: rows.length > MOST_VALUES };
};

/** A query that draws the nodes with the highest values, and their edges. */
export const drawingQuery = (labels: readonly string[], property: string): string =>
  `MATCH (a${labels.length === 1 ? `:${cypherName(labels[0] ?? '')}` : ''})-[r]-(b) WHERE a.${cypherName(property)} IS NOT NULL\nRETURN a, r, b ORDER BY a.${cypherName(property)} DESC LIMIT 300`;
