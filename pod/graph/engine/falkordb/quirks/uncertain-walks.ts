import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { scopesOf } from '../../cypher/scopes';
import { shownText } from '../../cypher/steps';
import { subqueryOf } from '../../cypher/subquery-of';
import { type Expression, type MatchClause, type PathPattern, type Query, type StepPattern } from '../../cypher/tree';
import { changeClauseLists, changeExpressions, clausesIn, partsOf } from '../../cypher/walk';
import { uncertainSteps } from '../lengths/uncertain-steps';
import { canWriteOut, writtenOut } from '../lengths/written-out';

/**
 * The engine follows paths of several lengths until they return to one of their nodes, and computes a single length as
 * a matrix product, which is wrong next to other steps. So each length is expanded into its own MATCH.
 */
export const uncertainWalks: Quirk = {
  id: 'falkordb-walks',
  description: 'A variable-length relationship stops when its path returns to one of its nodes.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (b)-[:E]->(a), (a)-[:E]->(:N {id: 3})',
    query: 'MATCH (:N {id: 1})-[:E*1..3]->() RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  rewrite: (asked, context) => {
    const query = withMatches(asked, context);
    const found = new Map(uncertainMatches(query, context).map((match) => [match.clause.start, match]));
    if (![...found.values()].some(({ isWritten }) => isWritten)) return asked;
    return changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause) => {
        const match = clause.kind === 'match' ? found.get(clause.start) : undefined;
        if (clause.kind !== 'match' || match?.isWritten !== true) return [clause];
        return writtenOut(clause, match.steps, match.known, context.newName);
      }),
    );
  },
  warn: (query, context) =>
    uncertainMatches(withMatches(query, context), context)
      .filter(({ isWritten }) => !isWritten)
      .flatMap(({ steps }) => steps)
      .map(
        (step) =>
          `FalkorDB may not find exactly the paths of ${shownText(context.text, step)}. Without a name for the path or ` +
          'the relationship, the nodes reached in one direction, with lengths from 0 or 1 and DISTINCT, are exact; ' +
          'otherwise write lengths up to 8.',
      ),
};

/** A MATCH with steps that the engine may answer wrongly. */
interface UncertainMatch {
  readonly clause: MatchClause;
  readonly steps: readonly StepPattern[];
  /** The names bound by earlier clauses. */
  readonly known: readonly string[];
  readonly isWritten: boolean;
}

const hasLengths = (part: object): boolean => partsOf(part).some((inner) => 'mode' in inner);

const uncertainMatches = (query: Query, context: QuirkContext): readonly UncertainMatch[] => {
  if (!hasLengths(query)) return [];
  const counting = countingClauses(query);
  const { before } = scopesOf(query);
  return [...clausesIn(query)].flatMap((clause) => {
    const steps = clause.kind === 'match' ? uncertainSteps(clause, counting.has(clause), context) : [];
    if (clause.kind !== 'match' || steps.length === 0) return [];
    const known = [...(before.get(clause)?.keys() ?? [])];
    return [{ clause, steps, known, isWritten: canWriteOut(clause, steps, known) }];
  });
};

/** Converts patterns in expressions to subqueries if they have uncertain steps of several lengths. */
const withMatches = (query: Query, context: QuirkContext): Query => {
  if (!hasLengths(query)) return query;
  const isUncertain = (path: PathPattern, counts: boolean): boolean =>
    uncertainSteps({ paths: [path] }, counts, context).length > 0;
  return changeExpressions(query, (value: Expression) => {
    if (value.kind === 'pattern' && isUncertain(value.path, false)) return subqueryOf(value);
    if (value.kind === 'pattern_comprehension' && isUncertain(value.path, true)) return subqueryOf(value);
    if (value.kind !== 'call') return value;
    const [only] = value.arguments;
    const counts = only?.kind === 'pattern' && value.name.toUpperCase() === 'SIZE' && isUncertain(only.path, true);
    return subqueryOf(counts ? { ...value, arguments: [subqueryOf(only)] } : value);
  });
};
