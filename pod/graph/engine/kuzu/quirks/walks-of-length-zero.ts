import { type Quirk } from '../../cypher/quirk';
import { matchedSteps, shownText, stepsInValues, type Step } from '../../cypher/steps';
import { clausesIn } from '../../cypher/walk';

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
