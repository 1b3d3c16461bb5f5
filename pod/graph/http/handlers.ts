import { isLeft, left, right } from 'fp-ts/Either';
import { type Handlers } from '../../../adapters/http/kit';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { findAlgorithm, type AlgorithmService } from '../algorithms/algorithm-service';
import { type Execution, type Executions } from '../algorithms/executions';
import { GRAPHDB_A_ENDPOINTS } from '../contract/endpoints';
import { diskBytes, residentBytes } from '../control-plane/usage';
import { type GraphEngine } from '../engine/graph-engine';
import { totalRows, type Instance } from '../instance';
import { type InstanceLock } from '../lock/instance-lock';
import { callerOf, type AuthorizeCaller } from './authorize-caller';
import { describeGraph } from './describe-graph';
import { answerText, createQueryHandler } from './query-handler';
import { type QueryStatistics } from './query-statistics';
import { subgraphText } from './subgraph-text';

export interface HandlerParts {
  readonly instance: Instance;
  readonly engine: GraphEngine;
  readonly statistics: QueryStatistics;
  readonly lock: InstanceLock;
  readonly executions: Executions;
  readonly algorithms: AlgorithmService;
  readonly authorize: AuthorizeCaller;
  readonly now: () => Date;
}

const reply = <A>(body: A) => Promise.resolve(right({ body }));
const refuse = (error: DomainError) => Promise.resolve(left(error));

const notLoaded = domainError('SERVICE_UNAVAILABLE', 'The graph is not loaded; ask again in a moment.');

export const createHandlers = (parts: HandlerParts): Handlers<typeof GRAPHDB_A_ENDPOINTS, undefined> => {
  const { instance, engine, statistics, lock, executions, algorithms, authorize, now } = parts;
  const { settings, startedAt } = instance;
  const runQuery = createQueryHandler(engine, statistics, answerText);
  const runSubgraph = createQueryHandler(engine, statistics, (answer, ms) => `{"data":${subgraphText(answer, ms)}}`);
  const alive = (status: string) => reply({ status, timestamp: now().toISOString() });
  const processIds = (): readonly number[] => [process.pid, ...engine.processIds(), ...algorithms.processIds()];

  return {
    information: () =>
      reply({
        name: 'rowgraph instance',
        instance_id: settings.instanceId,
        wrapper_type: settings.wrapperType,
        instance_url: settings.instanceUrl,
        endpoints: Object.values(GRAPHDB_A_ENDPOINTS).map(({ method, path, summary }) => ({ method, path, summary })),
      }),
    health: () => alive('healthy'),
    ready: () => (instance.graph() === null ? refuse(notLoaded) : alive('ready')),
    status: async () => {
      const [graph, mapping] = [instance.graph(), instance.mapping()];
      return right({
        body: {
          status: graph === null ? ('loading' as const) : ('running' as const),
          instance_id: settings.instanceId,
          snapshot_id: mapping?.snapshot_id ?? null,
          mapping_id: mapping?.mapping_id ?? null,
          owner_username: settings.ownerUsername,
          ready: graph !== null,
          started_at: startedAt.toISOString(),
          uptime_seconds: Math.floor((now().getTime() - startedAt.getTime()) / 1000),
          node_count: graph === null ? null : totalRows(graph.nodes),
          edge_count: graph === null ? null : totalRows(graph.edges),
          node_tables: graph?.nodes.map(({ name }) => name) ?? [],
          edge_tables: graph?.edges.map(({ name }) => name) ?? [],
          memory_usage_bytes: await residentBytes(processIds()),
          disk_usage_bytes: await diskBytes(settings.dataDirectory),
          lock: { locked: lock.holder() !== null },
        },
      });
    },
    lock: () => {
      const holder = lock.holder();
      if (holder === null) return reply({ lock: { locked: false } });
      return reply({
        lock: {
          locked: true,
          holder_id: holder.username,
          holder_username: holder.username,
          algorithm_name: holder.algorithm,
          execution_id: holder.executionId,
          acquired_at: holder.acquiredAt.toISOString(),
        },
      });
    },
    schema: () => {
      const graph = instance.graph();
      return graph === null ? refuse(notLoaded) : reply(describeGraph(graph));
    },
    query: async ({ body }) => {
      const answer = await runQuery(body);
      return isLeft(answer) ? answer : right({ body: answer.right });
    },
    subgraph: async ({ body: { cypher, ...more } }) => {
      const answer = await runSubgraph({ ...more, query: cypher });
      return isLeft(answer) ? answer : right({ body: answer.right });
    },
    startAlgorithm: async ({ params, body, header }) => {
      const caller = callerOf(header('X-Username'));
      if (isLeft(caller)) return caller;
      const algorithm = findAlgorithm(params.name);
      if (isLeft(algorithm)) return algorithm;
      const username = await authorize(caller.right);
      if (isLeft(username)) return username;
      const started = algorithms.start(algorithm.right, body, username.right);
      if (isLeft(started)) return started;
      const { executionId, startedAt: at } = started.right;
      return right({
        body: {
          execution_id: executionId,
          algorithm: params.name,
          status: 'running' as const,
          lock_acquired: true,
          started_at: at.toISOString(),
        },
      });
    },
    algorithmStatus: ({ params }) => {
      const execution = executions.find(params.execution_id);
      if (execution !== undefined) return reply(executionStatus(execution, now()));
      const message = `There is no execution ${params.execution_id}; the pod knows those since its last start.`;
      return refuse(domainError('EXECUTION_NOT_FOUND', message, { execution_id: params.execution_id }));
    },
  };
};

const executionStatus = ({ executionId, algorithm, startedAt, end }: Execution, now: Date) => {
  const common = { execution_id: executionId, algorithm, started_at: startedAt.toISOString() };
  const seconds = (until: Date): number => (until.getTime() - startedAt.getTime()) / 1000;
  if (end === null) return { ...common, status: 'running' as const, elapsed_seconds: seconds(now) };
  const ended = { ...common, duration_seconds: seconds(end.at) };
  if (end.status === 'failed') {
    return { ...ended, status: 'failed' as const, failed_at: end.at.toISOString(), error: end.error };
  }
  return {
    ...ended,
    status: 'completed' as const,
    completed_at: end.at.toISOString(),
    result: { property_name: end.propertyName, nodes_updated: end.nodesUpdated },
  };
};
