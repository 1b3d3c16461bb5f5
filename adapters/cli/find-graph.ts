import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceClient } from '../client';
import { answered } from './answered';
import { type Session } from './connection';
import { type CliFailure, failed } from './failure';
import { findInstance } from './find-one';

export interface RunningGraph {
  readonly id: number;
  readonly kind: 'graphdb_a' | 'graphdb_b';
  readonly pod: InstanceClient;
}

/** A running instance that is named by id or name, ready to be asked. */
export const findGraph = async (session: Session, text: string): Promise<Either<CliFailure, RunningGraph>> => {
  const id = await findInstance(session, text);
  if (isLeft(id)) return id;
  const instance = await answered(session.api.getInstance({ params: { id: id.right } }), ({ data }) => data);
  if (isLeft(instance)) return instance;
  const { status, instance_url, wrapper_type, error_message } = instance.right;
  if (status === 'running' && instance_url !== null) {
    return right({ id: id.right, kind: wrapper_type, pod: session.instance(instance_url) });
  }
  const next =
    status === 'failed'
      ? `It failed: ${error_message ?? 'no reason given'}`
      : `Wait for it: rowgraph instances wait ${id.right}`;
  return left(failed(`Instance ${id.right} is not running but ${status}.`, next));
};
