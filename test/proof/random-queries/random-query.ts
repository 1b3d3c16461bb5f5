import { type ValueMap } from '../../../pod/graph/engine/evaluate/values';
import { Choice } from '../../support/choice';
import { type ComparedQuery } from '../cypher/engine/compared-answer';
import { clauseFamilies } from './clause-families';
import { composedFamilies } from './composed-queries';
import { type Family } from './family';
import { listFamilies } from './list-families';
import { nameFamilies } from './name-families';
import { nullFamilies } from './null-families';
import { numberFamilies } from './number-families';
import { QueryMaker } from './query-maker';
import { subqueryFamilies } from './subquery-families';
import { timeFamilies } from './time-families';
import { userFamilies } from './user-families';
import { valueFamilies } from './value-families';
import { walkFamilies } from './walk-families';

export interface RandomQuery extends ComparedQuery {
  readonly family: string;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  ...valueFamilies,
  ...clauseFamilies,
  ...userFamilies,
  ...timeFamilies,
  ...composedFamilies,
};

/** Families of queries about `WIDE` graphs. */
const WIDE_FAMILIES: Readonly<Record<string, Family>> = {
  ...nullFamilies,
  ...nameFamilies,
  ...listFamilies,
  ...walkFamilies,
  ...subqueryFamilies,
  ...numberFamilies,
};

/** Families whose number of rows is a small multiple of the number of nodes. */
const NAMES_OF_MANY_ROWS: readonly string[] = [
  'groups with several aggregates',
  'aggregates of everything',
  'an aggregate in an expression',
  'the same aggregate twice',
  'CASE',
  'quantifiers with null',
  'texts and null',
  'lists',
  'maps and entities',
  'conditions with OR',
  'functions of null',
  'statistics',
  'entities as results',
  'OPTIONAL MATCH',
  'orders that later clauses keep',
  'patterns as conditions',
  'subqueries',
  'steps of WITH',
  'groups before a MATCH',
  'unions',
  'labels in patterns',
  'collect and UNWIND',
  'a list of all rows',
  'OPTIONAL MATCH after OPTIONAL MATCH',
  'dates and times',
  'a condition on an outer null',
  'sums of CASE',
  'DISTINCT aggregates beside others',
  'names that shadow',
  'map projections',
  'pattern comprehensions',
  'CALL of a subquery',
  'the first rows, then more',
  'lists in lists',
  'orders with nulls',
];

/** Further families that are quick on graphs of any size. */
const NAMES_OF_BOTH_KINDS: readonly string[] = [
  ...NAMES_OF_MANY_ROWS,
  'lookups by a property',
  'keys of text',
  'great integers',
  'values of several types',
  'conditions on parameters',
  'precedence',
  'literals',
  'names that the graph does not have',
  'relationships that must differ',
  'a relationship of a clause before',
  'UNWIND with nulls',
  'unusual keys of text',
  'great keys',
  'names in other case',
  'lists and maps as parameters',
];

const ALL_FAMILIES = { ...FAMILIES, ...WIDE_FAMILIES };

const familiesNamed = (names: readonly string[]): Readonly<Record<string, Family>> =>
  Object.fromEntries(Object.entries(ALL_FAMILIES).filter(([name]) => names.includes(name)));

const OF_MANY_ROWS = familiesNamed(NAMES_OF_MANY_ROWS);
const OF_BOTH_KINDS = familiesNamed(NAMES_OF_BOTH_KINDS);

/** Generates one query; the same for the same seed. Families take turns. */
export const randomQuery = (seed: number): RandomQuery => madeQuery(seed, FAMILIES, new QueryMaker(new Choice(seed)));

/** A query for a `WIDE` graph. */
export const wideQuery = (seed: number): RandomQuery =>
  madeQuery(seed, WIDE_FAMILIES, new QueryMaker(new Choice(seed)));

/** A query for a large graph. */
export const queryOfManyRows = (seed: number): RandomQuery =>
  madeQuery(seed, OF_MANY_ROWS, new QueryMaker(new Choice(seed), 100));

/** A query that two kinds answer beside each other. */
export const queryOfBothKinds = (seed: number): RandomQuery =>
  madeQuery(seed, OF_BOTH_KINDS, new QueryMaker(new Choice(seed), 100));

const madeQuery = (seed: number, families: Readonly<Record<string, Family>>, maker: QueryMaker): RandomQuery => {
  const all = Object.entries(families);
  const [family, make] = all[seed % all.length]!;
  const text = make(maker);
  const parameters = new Map(
    [...maker.expressions.parameters].filter(([name]) => new RegExp(`\\$${name}(?!\\w)`).test(text)),
  );
  return { family, ...comparedQuery(text, parameters) };
};

/** A query of a family: the order of its rows is known by its text. */
export const comparedQuery = (text: string, parameters: ValueMap): ComparedQuery => ({
  text,
  parameters,
  inOrder: / ORDER BY c0[^{}]*$/.test(text),
  anyOrderInLists: /collect\(|COLLECT \{.*UNION|\[\(\w+\)[-<]/i.test(text),
});
