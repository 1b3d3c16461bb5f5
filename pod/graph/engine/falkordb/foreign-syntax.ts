import { QueryFault } from '../cypher/query-fault';
import { type Expression, type PathLength, type Query } from '../cypher/tree';
import { partsOf } from '../cypher/walk';

/** Throws a `QueryFault` for syntax of Kuzu that openCypher does not have, with an alternative. */
export const refuseForeignSyntax = (query: Query): void => {
  for (const part of partsOf(query)) {
    const found = isExpression(part) ? foreignExpression(part) : isLength(part) ? foreignLength(part) : null;
    if (found !== null) throw new QueryFault(`FalkorDB does not know ${found.what}; ${found.instead}.`, found.start);
  }
};

interface Foreign {
  readonly what: string;
  readonly instead: string;
  readonly start: number;
}

const isExpression = (part: object): part is Expression => 'kind' in part && 'start' in part;
const isLength = (part: object): part is PathLength => 'mode' in part && 'filter' in part;

const BITS = new Set<string>(['|', '&', '<<', '>>']);

const foreignExpression = (value: Expression): Foreign | null => {
  const { kind, start } = value;
  if (kind === 'lambda') return { what: 'x -> …', instead: 'write [x IN list WHERE condition | value]', start };
  if (kind === 'named_argument') return { what: 'name := value', instead: 'write the values in their order', start };
  if (kind === 'cast') {
    return { what: 'CAST', instead: 'write toInteger(x), toFloat(x), toBoolean(x) or toString(x)', start };
  }
  if (kind === 'star' && value.of !== null) return { what: 'n.*', instead: 'write properties(n)', start };
  if (kind === 'unary' && value.operator === '!') return { what: 'x!', instead: 'write the product by reduce', start };
  if (kind === 'slice' && value.separator === ':') {
    return { what: 'list[2:3]', instead: 'write list[1..3], which counts from 0', start };
  }
  if (kind !== 'binary' || !BITS.has(value.operator)) return null;
  return { what: `operations on bits such as ${value.operator}`, instead: 'write them by *, / and %', start };
};

const foreignLength = ({ mode, filter, start }: PathLength): Foreign | null => {
  if (mode?.includes('SHORTEST') === true) {
    const instead = 'write WITH a, b RETURN shortestPath((a)-[:TYPE*]->(b)), or allShortestPaths in MATCH';
    return { what: mode, instead, start };
  }
  if (mode !== null) return { what: mode, instead: 'name each step and write r1 <> r2 in WHERE', start };
  return filter === null
    ? null
    : { what: '(r, n | …)', instead: 'name the path and write all(r IN relationships(p) WHERE …)', start };
};
