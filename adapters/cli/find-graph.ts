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

/** A command on a running instance, its first argument. */
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

/** The client of a running instance, by its id or name. */
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
    status === 'failed' ? `Error: ${error_message ?? 'unknown'}` : `Next: rowgraph instances wait ${id.right}`;
  return left(failed(`Instance ${id.right} is not running (${status}).`, next));
};
