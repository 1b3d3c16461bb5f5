import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { nearestNames } from '../../domain/kernel/nearest-names';
import { type ClientFailure, type InstanceClient, type InstanceKind, type Success } from '../client';
import { type Action, type CommandInput, type Outcome } from './action';
import { type Session } from './connection';
import { type Answer, answered, explain, failed } from './failure';

type PageOf<R> = (query: {
  readonly limit: number;
  readonly offset: number;
  readonly search?: string;
}) => Promise<Either<ClientFailure, Success<readonly R[]>>>;

interface Named {
  readonly id: number;
  readonly name: string;
  readonly owner_username: string;
}

/** The id of a mapping by its id or its unique name. */
export const findMapping = (session: Session, text: string): Answer<number> =>
  findOne('mapping', text, (query) => session.api.listMappings({ query }));

export const findInstance = (session: Session, text: string): Answer<number> =>
  findOne('instance', text, (query) => session.api.listInstances({ query }));

const findOne = async (kind: string, text: string, page: PageOf<Named>): Answer<number> => {
  if (/^[1-9]\d{0,14}$/.test(text)) return right(Number(text));
  const found = await readAll<Named>((place) => page({ search: text.slice(0, 255), ...place }));
  if (isLeft(found)) return found;
  const matches = found.right.filter(({ name }) => name === text);
  const [first, ...others] = matches;
  if (first === undefined) {
    const all = await answered(page({ limit: 100, offset: 0 }), ({ data }) => data.map(({ name }) => name));
    const nearest = [...new Set(nearestNames(text, isLeft(all) ? [] : all.right))].map((name) => `"${name}"`);
    const meant = nearest.length === 0 ? [] : [`Did you mean ${nearest.join(', ')}?`];
    return left(failed(`Unknown ${kind} "${text}".`, ...meant, `See: rowgraph ${kind}s list`));
  }
  if (others.length === 0) return right(first.id);
  const list = matches.map(({ id, owner_username }) => `${id} (of ${owner_username})`).join(', ');
  return left(failed(`${matches.length} ${kind}s are named "${text}": ${list}.`, 'Use the id.'));
};

/** All pages of a list. */
export const readAll = async <R>(page: PageOf<R>): Answer<readonly R[]> => {
  const all: R[] = [];
  for (;;) {
    const answer = await page({ limit: 100, offset: all.length });
    if (isLeft(answer)) return left(explain(answer.left));
    const { data, page: place } = answer.right;
    all.push(...data);
    if (data.length === 0 || all.length >= (place?.total ?? 0)) return right(all);
  }
};

interface GraphOf<K extends InstanceKind> {
  readonly id: number;
  readonly kind: K;
  readonly pod: InstanceClient<K>;
}
type RunningGraph = GraphOf<'graphdb_a'> | GraphOf<'graphdb_b'>;

/** A command on a running instance, which its first argument names. */
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
export const findGraph = async (session: Session, text: string): Answer<RunningGraph> => {
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
  if (status === 'running')
    return left(failed(`Instance ${id.right} is running, but its pod has not reported an address.`));
  const next =
    status === 'failed' ? `Error: ${error_message ?? 'unknown'}` : `Next: rowgraph instances wait ${id.right}`;
  return left(failed(`Instance ${id.right} is not running (${status}).`, next));
};
