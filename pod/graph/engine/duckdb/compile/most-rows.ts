import { aggregatesIn } from '../../cypher/aggregates';
import { conditionsOf } from '../../cypher/build';
import { type Clause, type Expression, type NodePattern, type PathPattern, type Query } from '../../cypher/tree';
import { equalOperands } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** The greatest number of rows of a query by its text; infinite if the graph decides. */
export const mostRows = ({ parts }: Query, schema: GraphSchema): number =>
  parts.reduce((sum, clauses) => sum + clauses.reduce((rows, clause) => rowsAfter(clause, rows, schema), 1), 0);

const rowsAfter = (clause: Clause, rows: number, schema: GraphSchema): number => {
  if (clause.kind === 'match')
    return clause.paths.every((path) => isLookup(path, clause.where, schema)) ? rows : Infinity;
  if (clause.kind !== 'with' && clause.kind !== 'return') return Infinity;
  const { items, limit } = clause;
  const most = limit?.kind === 'number' ? Number(limit.text) : Infinity;
  // Without a group there is one row of aggregates.
  return Math.min(most, items.every(({ value }) => aggregatesIn(value).length > 0) ? 1 : rows);
};

/** Whether a pattern is one node with its key. */
const isLookup = ({ nodes }: PathPattern, where: Expression | null, schema: GraphSchema): boolean => {
  const [node, ...others] = nodes;
  const [label, ...labels] = node?.labels?.names ?? [];
  const key = schema.nodeTables.find((table) => table.label === label?.text)?.primaryKey.name;
  if (node === undefined || others.length > 0 || labels.length > 0 || key === undefined) return false;
  const isKey = (value: Expression): boolean =>
    value.kind === 'property' &&
    value.of.kind === 'variable' &&
    value.of.name === node.name?.text &&
    value.name.text === key;
  const conditions = [...conditionsOf(where), ...conditionsOf(node.where)];
  return hasKey(node, key) || conditions.some((condition) => equalOperands(condition).some(isKey));
};

const hasKey = ({ properties }: NodePattern, key: string): boolean =>
  properties?.kind === 'map' && properties.entries.some((entry) => entry.key.text === key);
