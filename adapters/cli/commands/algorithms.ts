import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceClient } from '../../client';
import { type Action, type ActionGroup, present } from '../action';
import { answered } from '../answered';
import { type CliFailure, failed } from '../failure';
import { findGraph } from '../find-graph';
import { type Output } from '../output';
import { parametersOf } from '../query-parameters';
import { type Terminal } from '../terminal';

const POLL_MS = 200;

const run: Action = {
  usage: 'run <instance> <algorithm>',
  summary: 'Start an algorithm on an instance of yours; its result goes to a property of the nodes',
  options: [
    { flags: '-l, --label <label>', description: 'the nodes it runs over' },
    { flags: '-o, --property <name>', description: 'where the result goes' },
    { flags: '-s, --set <name=value>', description: 'a parameter of the algorithm; may be repeated', kind: 'list' },
    { flags: '-w, --wait', description: 'wait for the result' },
  ],
  examples: ['algorithms run 1 pagerank --label Account --property rank --set damping=0.9 --wait'],
  run: async (session, given) => {
    const parameters = parametersOf(given.texts('set'));
    if (isLeft(parameters)) return parameters;
    const graph = await findGraph(session, given.argument(0));
    if (isLeft(graph)) return graph;
    const { id, pod } = graph.right;
    const body = {
      ...present('node_label', given.text('label')),
      ...present('property_name', given.text('property')),
      ...parameters.right,
    };
    const started = await answered(
      pod.startAlgorithm({ params: { name: given.argument(1) }, body }),
      ({ data }) => data,
    );
    if (isLeft(started)) return started;
    const { execution_id } = started.right;
    if (given.flag('wait')) return untilEnded(pod, id, execution_id, session.terminal);
    return right({
      data: started.right,
      text: `${given.argument(1)} runs as ${execution_id}.`,
      note: `Look at it with: rowgraph algorithms status ${id} ${execution_id}`,
    });
  },
};

const status: Action = {
  usage: 'status <instance> <execution>',
  summary: 'How a run is getting on',
  run: async (session, given) => {
    const graph = await findGraph(session, given.argument(0));
    return isLeft(graph) ? graph : look(graph.right.pod, given.argument(1));
  },
};

/** What people want to know of a run; `--json` has all of it. */
const SHOWN = [
  'execution_id',
  'algorithm',
  'status',
  'progress',
  'started_at',
  'completed_at',
  'duration_seconds',
  'result',
  'error',
] as const;

const look = (pod: InstanceClient, executionId: string) =>
  answered(
    pod.algorithmStatus({ params: { execution_id: executionId } }),
    ({ data }): Output & { readonly data: typeof data } => ({
      data,
      record: SHOWN.flatMap((name) => (data[name] === undefined ? [] : [[name.replaceAll('_', ' '), data[name]]])),
    }),
  );

const untilEnded = async (
  pod: InstanceClient,
  id: number,
  executionId: string,
  { interrupted }: Terminal,
): Promise<Either<CliFailure, Output>> => {
  const signal = interrupted();
  while (!signal.aborted) {
    const looked = await look(pod, executionId);
    if (isLeft(looked)) return looked;
    const { status: state, error } = looked.right.data;
    if (state === 'failed') return left(failed(`The run ${executionId} failed: ${error ?? 'no reason given'}`));
    if (state !== 'running') return looked;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  const lines = ['', `The run goes on without you. Look at it with: rowgraph algorithms status ${id} ${executionId}`];
  return left({ exitCode: 130, lines });
};

export const algorithmCommands: ActionGroup = {
  name: 'algorithms',
  summary: 'Algorithms over the graph of an instance',
  actions: [run, status],
};
