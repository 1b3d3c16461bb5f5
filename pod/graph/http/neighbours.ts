import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { MAX_REQUESTED_NODES, type NeighboursBody } from '../../../adapters/contracts/graph-pod/endpoints';
import { cypherName, type KeyedLabel, nodeOfId } from '../../../adapters/contracts/graph-pod/node-id';
import { type FieldsOf } from '../../../domain/kernel/codecs';
import { type DomainError, invalidField } from '../../../domain/kernel/errors';
import { type GraphAnswer } from '../engine/graph-engine';
import { type GraphSchema } from '../engine/graph-schema';
import { entitiesText } from './subgraph-text';

type Body = FieldsOf<(typeof NeighboursBody)['props']>;

const DEFAULT_LIMIT = 300;

export interface NeighbourQuestion<E> {
  readonly schema: GraphSchema;
  readonly kind: 'graphdb_a' | 'graphdb_b';
  readonly body: Body;
  readonly ask: (query: string) => Promise<Either<E, GraphAnswer>>;
}

/** Edges of one type and direction from the nodes of one label. */
interface Step {
  readonly type: string;
  readonly direction: 'out' | 'in';
  /** Label of the neighbours. */
  readonly label: string;
  readonly match: string;
  readonly order: string;
}

interface Named {
  readonly of: KeyedLabel;
  readonly literals: string[];
}

/** The JSON text of nodes with their neighbours, and of how many edges of each type lead to those. */
export const answerNeighbours = async <E>({
  schema,
  kind,
  body,
  ask,
}: NeighbourQuestion<E>): Promise<Either<E | DomainError<'VALIDATION_FAILED'>, string>> => {
  const startedAt = performance.now();
  const named = namedNodes(schema, kind, body.nodes);
  if (isLeft(named)) return left(invalidField('nodes', named.left));
  const types = schema.edgeTables.map(({ type }) => type);
  const unknown = body.edge_types?.find((type) => !types.includes(type));
  if (unknown !== undefined) {
    const known = [...new Set(types)].join(', ') || 'none';
    return left(invalidField('edge_types', `has ${unknown}, which is not an edge type of the graph: ${known}`));
  }
  const steps = named.right.flatMap((nodes) => stepsFrom(schema, nodes, body));
  const answers: GraphAnswer[] = [];
  const counts: number[] = [];
  for (const nodes of named.right) {
    const found = await ask(`${matchOf(nodes, '')} RETURN a`);
    if (isLeft(found)) return found;
    answers.push(found.right);
  }
  for (const { match } of steps) {
    const counted = await ask(`${match} RETURN count(r)`);
    if (isLeft(counted)) return counted;
    counts.push(Number(/\d+/.exec(counted.right.rowsJson)?.[0] ?? 0));
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  let open = body.limit ?? DEFAULT_LIMIT;
  let stepsLeft = counts.filter((count) => count > 0).length;
  const isTruncated = total > open;
  for (const [place, { match, order }] of steps.entries()) {
    // Limits a type with many edges in favor of the others.
    const share = Math.ceil(open / Math.max(stepsLeft, 1));
    if (counts[place] === 0 || share === 0) continue;
    const found = await ask(`${match} RETURN r, b ORDER BY ${order} LIMIT ${share}`);
    if (isLeft(found)) return found;
    answers.push(found.right);
    open -= found.right.rowCount;
    stepsLeft--;
  }
  const shown = steps.map(({ type, direction, label }, place) => ({ type, direction, label, count: counts[place] }));
  const entities = await entitiesText(answers.map(({ rowsJson }) => rowsJson));
  const ms = Math.round(performance.now() - startedAt);
  return right(
    `{"data":{"counts":${JSON.stringify(shown)},${entities},"execution_time_ms":${ms},"truncated":${isTruncated}}}`,
  );
};

const namedNodes = (
  { nodeTables }: GraphSchema,
  kind: 'graphdb_a' | 'graphdb_b',
  ids: readonly string[],
): Either<string, readonly Named[]> => {
  if (ids.length === 0 || ids.length > MAX_REQUESTED_NODES) {
    return left(`has ${ids.length} entries; send 1 to ${MAX_REQUESTED_NODES}`);
  }
  const labels = nodeTables.map(({ label, primaryKey }) => ({
    label,
    key: primaryKey.name,
    type: primaryKey.declaredType,
  }));
  const found = new Map<string, Named>();
  for (const id of new Set(ids)) {
    const node = nodeOfId(id, labels, kind);
    if (isLeft(node)) return node;
    const { of, literal } = node.right;
    const named = found.get(of.label) ?? { of, literals: [] };
    named.literals.push(literal);
    found.set(of.label, named);
  }
  return right([...found.values()]);
};

const matchOf = ({ of, literals }: Named, steps: string): string => {
  const key = `a.${cypherName(of.key)}`;
  const [only = ''] = literals;
  const condition = literals.length === 1 ? `${key} = ${only}` : `${key} IN [${literals.join(',')}]`;
  return `MATCH (a:${cypherName(of.label)})${steps} WHERE ${condition}`;
};

const stepsFrom = (schema: GraphSchema, nodes: Named, { edge_types: wanted, direction }: Body): readonly Step[] => {
  const { label: from } = nodes.of;
  const keyOf = (label: string): string =>
    schema.nodeTables.find((table) => table.label === label)?.primaryKey.name ?? '';
  const step = (type: string, label: string, way: 'out' | 'in'): Step => {
    const [tail, head] = way === 'out' ? ['-', '->'] : ['<-', '-'];
    const match = matchOf(nodes, `${tail}[r:${cypherName(type)}]${head}(b:${cypherName(label)})`);
    return { type, direction: way, label, match, order: `b.${cypherName(keyOf(label))}` };
  };
  return schema.edgeTables
    .filter(({ type }) => wanted === undefined || wanted.includes(type))
    .flatMap(({ type, fromNode, toNode }) => [
      ...(fromNode === from && direction !== 'in' ? [step(type, toNode, 'out')] : []),
      ...(toNode === from && direction !== 'out' ? [step(type, fromNode, 'in')] : []),
    ]);
};
