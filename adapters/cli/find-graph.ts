import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceClient, type InstanceKind } from '../client';
import { type Action, type CommandInput, type Outcome } from './action';
import { answered, type CliFailure, failed } from './failure';
import { type Session } from './connection';
import { findInstance } from './find-one';

interface GraphOf<K extends InstanceKind> {
  readonly id: number;
  readonly kind: K;
  readonly pod: InstanceClient<K>;
}
type RunningGraph = GraphOf<'graphdb_a'> | GraphOf<'graphdb_b'>;

/** A command about the graph of a running instance, its first argument. */
export const onGraph = (
  declaration: Pick<Action, 'usage' | 'summary' | 'options' | 'examples' | 'takesCsv'>,
  use: (graph: RunningGraph, input: CommandInput, session: Session) => Outcome,
): Action => ({
  ...declaration,
  run: async (session, input) => {
    const graph = await findGraph(session, input.argument(0));
    return isLeft(graph) ? graph : use(graph.right, input, session);
  },
});

/** A running instance that is named by id or name, ready to be asked. */
export const findGraph = async (session: Session, text: string): Promise<Either<CliFailure, RunningGraph>> => {
  const id = await findInstance(session, text);
  if (isLeft(id)) return id;
  const instance = await answered(session.api.getInstance({ params: { id: id.right } }), ({ data }) => data);
  if (isLeft(instance)) return instance;
  const { status, instance_url, wrapper_type, error_message } = instance.right;
  if (status === 'running' && instance_url !== null) {
    return right(
      wrapper_type === 'graphdb_a'
        ? { id: id.right, kind: wrapper_type, pod: session.instance(wrapper_type, instance_url) }
        : { id: id.right, kind: wrapper_type, pod: session.instance(wrapper_type, instance_url) },
    );
  }
  const next =
    status === 'failed'
      ? `It failed: ${error_message ?? 'no reason given'}`
      : `Wait for it: rowgraph instances wait ${id.right}`;
  return left(failed(`Instance ${id.right} is not running but ${status}.`, next));
};
