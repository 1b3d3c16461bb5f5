import { aggregatesIn, combinesRows } from '../../cypher/aggregates';
import { type Cure, type CureContext } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { type Clause, type Expression, type Query } from '../../cypher/tree';
import { common, itemType, SEVERAL_TEXTS, type ValueType } from '../../cypher/value-type';
import { clausesIn, expressionsIn, isProjection } from '../../cypher/walk';
import { comparedIn } from './compared-values';

/**
 * A property that is a STRING in one label and a DATE in another is text in both, so its values cannot be distinguished
 * when they are compared, sorted or grouped, and neither can those of a STRING property and of a DATE.
 */
export const sharedForms: Cure = (query, context) => {
  rejectCompared(query, context);
  return query;
};

const rejectCompared = (query: Query, { schema }: CureContext): void => {
  const typeOf = valueTypes(query, schema);
  const compared = [
    ...clausesIn(query)
      .flatMap(comparedByClause)
      .map((value) => [value]),
    ...expressionsIn(query).map(comparedIn),
    ...expressionsIn(query).flatMap((value) => (value.kind === 'call' && value.distinct ? [value.arguments] : [])),
  ];
  // A constant text is compared with a date as a date.
  const typesOf = (values: readonly Expression[]): readonly ValueType[] =>
    values
      .filter((each) => each.kind !== 'literal' && (each.kind !== 'parameter' || typeOf(each).kind === 'other'))
      .map((each) => itemType(typeOf(each)));
  const isRejected = (values: readonly Expression[]): boolean => typesOf(values).reduce(common, NULL) === SEVERAL_TEXTS;
  const value = compared.find(isRejected)?.[0];
  if (value === undefined) return;
  throw new QueryFault(SEVERAL, value.start);
};

export const SEVERAL =
  'FalkorDB keeps texts, dates, times and maps as text, and this may be one or the other: name one label, or use graphdb_a.';

const NULL: ValueType = { kind: 'null' };

/** The values by which a clause sorts, groups or removes duplicates. */
const comparedByClause = (clause: Clause): readonly Expression[] => {
  if (!isProjection(clause)) return [];
  const sorted = clause.orderBy.map(({ value }) => value);
  if (!combinesRows(clause)) return sorted;
  const values = clause.items.map(({ value }) => value);
  return [...sorted, ...(clause.distinct ? values : values.filter((value) => aggregatesIn(value).length === 0))];
};
