import { valueTypes } from '../cypher/scopes';
import { type Expression, type Query } from '../cypher/tree';
import { storedTime } from '../cypher/value-type';
import { expressionsIn } from '../cypher/walk';
import { type GraphSchema } from '../graph-schema';
import { isUnusualTime, momentOfText } from './temporal/moment-of-text';

/** Warns of conditions on stored dates and times that no row meets, because a text is not a date or time, or the reverse. */
export const misreadTimes = (query: Query, schema: GraphSchema): readonly string[] => {
  const typeOf = valueTypes(query, schema);
  const warnings = expressionsIn(query).flatMap((value) => {
    if (value.kind === 'binary' && TEXT_PREDICATES.has(value.operator)) {
      const type = storedTime(typeOf(value.left));
      return type === null ? [] : [`${value.operator} is null for a ${type}, which is not a text; write toString(…).`];
    }
    return pairsOf(value).flatMap(([of, text]) => {
      const type = storedTime(typeOf(of));
      if (type === null || text.kind !== 'literal' || typeof text.value !== 'string') return [];
      if (isUnusualTime(text.value) || momentOfText(text.value, type) !== null) return [];
      return [`'${text.value}' is not a ${type}, so nothing equals it; write ${EXAMPLES[type]}.`];
    });
  });
  return [...new Set(warnings)];
};

const TEXT_PREDICATES = new Set<string>(['STARTS WITH', 'ENDS WITH', 'CONTAINS', '=~']);

const EXAMPLES = { DATE: "it as '2024-05-01'", TIMESTAMP: "it as '2024-05-01T10:30:00Z'" };

/** The operands that a value compares, in both orders. */
const pairsOf = (value: Expression): readonly (readonly [Expression, Expression])[] => {
  if (value.kind === 'binary' && value.operator === 'IN')
    return value.right.kind === 'list' ? value.right.items.map((item) => [value.left, item] as const) : [];
  if (value.kind !== 'comparison') return [];
  const operands = [value.first, ...value.rest.map(({ right }) => right)];
  return operands.slice(1).flatMap((right, at) => {
    const left = operands[at] ?? right;
    return [[left, right] as const, [right, left] as const];
  });
};
