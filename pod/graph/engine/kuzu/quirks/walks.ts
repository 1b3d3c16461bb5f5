import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { matchedSteps, shownText, stepsInValues, type Step } from '../../cypher/steps';
import { clausesIn } from '../../cypher/walk';

export const loopsWithoutDirection: Quirk = {
  id: 'kuzu-loops-without-direction',
  description: 'A step without a direction finds a loop twice; the answer has a warning.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(a)',
    query: 'MATCH (:N)-[:E]-(:N) RETURN count(*)',
    right: [[1]],
    wrong: [[2]],
  },
  warn: (query, { text, schema }) => {
    const loops = schema.edgeTables.filter(({ hasLoops }) => hasLoops).map(({ type }) => type);
    const counting = countingClauses(query);
    return [...clausesIn(query)]
      .filter((clause) => counting.has(clause))
      .flatMap(matchedSteps)
      .flatMap((step) => loopWarnings(step, shownText(text, step), loops));
  },
};

const loopWarnings = ({ direction, types }: Step, pattern: string, loops: readonly string[]): readonly string[] => {
  const found = loops.filter((type) => types.length === 0 || types.some(({ text }) => text === type));
  if (direction !== 'both' || found.length === 0) return [];
  return [
    `Kuzu finds a loop twice in ${pattern}, because it has no direction: ${found.join(', ')} has edges from a node to ` +
      'itself. Give it a direction, or count with DISTINCT.',
  ];
};

export const walksOfLengthZero: Quirk = {
  id: 'kuzu-walks-of-length-zero',
  description: 'Walks from length 0 on find only nodes of some labels, and returns twice; the answer has a warning.',
  shown: {
    graph: 'CREATE (:M {id: 1}), (a:N {id: 2})-[:E]->(b:N {id: 3})',
    query: 'MATCH (n)-[:E*0..1]->(m) RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  warn: (query, { text }) =>
    [...clausesIn(query)]
      .flatMap((clause) => [
        ...matchedSteps(clause),
        ...(clause.kind === 'match' || clause.kind === 'with' ? stepsInValues(clause.where) : []),
      ])
      .filter(mayBeginWithZero)
      .map(
        (step) =>
          `Kuzu may answer ${shownText(text, step)} wrongly: with length 0 it finds only nodes of the labels its edges ` +
          'have, and counts walks that return to their first node more than once. Begin with length 1, and match the ' +
          'nodes separately.',
      ),
};

/** A parameter may be 0. */
const mayBeginWithZero = ({ length }: Step): boolean => {
  if (length === null || length.mode !== null || length.min === null) return false;
  return length.min.kind !== 'number' || Number(length.min.text) === 0;
};
