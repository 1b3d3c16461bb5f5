import { type Quirk } from '../../cypher/quirk';
import { type MatchClause, type Query } from '../../cypher/tree';
import { clausesIn } from '../../cypher/walk';

export const optionalPaths: Quirk = {
  id: 'kuzu-optional-paths',
  description: 'The path of an OPTIONAL MATCH is never null; the answer has a warning.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (a:M {id: 2})-[:E]->(b:M {id: 3})',
    query: 'MATCH (n:N) OPTIONAL MATCH p = (n)-[:E]->() RETURN p IS NULL',
    right: [[true]],
    wrong: [[false]],
  },
  warn: (query) =>
    optionalMatches(query)
      .flatMap(({ paths }) => paths.flatMap(({ name }) => name?.text ?? []))
      .map(
        (name) =>
          `Kuzu never makes ${name} null, even if its OPTIONAL MATCH finds nothing; test one of its nodes instead.`,
      ),
};

export const optionalParts: Quirk = {
  id: 'kuzu-optional-parts',
  description:
    'An OPTIONAL MATCH of several patterns with a condition may set earlier values to null; the answer has a warning.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:F]->(c:M {id: 3})',
    query: 'MATCH (a:N)-[:E]->(b:N) OPTIONAL MATCH (a)-[:F]->(c:M), (b)-[:F]->(d:M) WHERE a.id < 9 RETURN b.id',
    right: [[2]],
    wrong: [[null]],
  },
  warn: (query) =>
    optionalMatches(query)
      .filter((clause) => clause.paths.length > 1 && isFiltered(clause))
      .map(
        () =>
          'Kuzu may return null for values from before an OPTIONAL MATCH of several parts with a condition, if it finds ' +
          'nothing. Write a separate OPTIONAL MATCH for each part.',
      ),
};

const optionalMatches = (query: Query): readonly MatchClause[] =>
  [...clausesIn(query)].filter((clause): clause is MatchClause => clause.kind === 'match' && clause.optional);

const isFiltered = ({ where, paths }: MatchClause): boolean =>
  where !== null ||
  paths.some(({ nodes, steps }) =>
    [...nodes, ...steps].some((part) => part.properties !== null || part.where !== null),
  );
