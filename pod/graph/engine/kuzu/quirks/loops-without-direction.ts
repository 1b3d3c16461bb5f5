import { call, name, number, projection, unwind, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { type Scopes, scopesOf } from '../../cypher/scopes';
import { edgeTablesOf, matchedSteps, shownText, type Step } from '../../cypher/steps';
import { type Clause, type Expression, type MatchClause, type Query, type Span } from '../../cypher/tree';
import { clausesIn, namesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';
import { repeatedRows } from './repeated-rows';

/**
 * The rows of MATCH clauses at the beginning are distinct, so DISTINCT by their nodes and edges cures them. After other
 * clauses, equal rows are counted first, and repeated afterwards.
 */
export const loopsWithoutDirection: Quirk = {
  id: 'kuzu-loops-without-direction',
  description:
    'A relationship without direction matches a loop twice; if this cannot be corrected, the answer has a warning.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(a)',
    query: 'MATCH (:N)-[:E]-(:N) RETURN count(*)',
    right: [[1]],
    wrong: [[2]],
  },
  rewrite: (query, { schema, newName }) => {
    const doubled = doubledSteps(query, schema);
    if (doubled.size === 0) return query;
    const { before } = scopesOf(query);
    return { ...query, parts: query.parts.map((clauses) => cured(clauses, doubled, before, newName).clauses) };
  },
  warn: (query, { text, schema, newName }) => {
    const doubled = doubledSteps(query, schema);
    const { before } = scopesOf(query);
    const areCured = query.parts.flatMap((clauses) => cured(clauses, doubled, before, newName).steps);
    return [...doubled.values()]
      .flat()
      .filter(({ start }) => !areCured.includes(start))
      .map(
        (step) =>
          `Kuzu finds a loop twice in ${shownText(text, step)}, because it has no direction: ${loops(step, schema).join(', ')} ` +
          'has edges from a node to itself. Give it a direction, or count with DISTINCT.',
      );
  },
};

type Doubled = ReadonlyMap<Clause, readonly Step[]>;

/** The steps whose loops are found twice, if that has an effect. */
const doubledSteps = (query: Query, schema: GraphSchema): Doubled => {
  if (!schema.edgeTables.some(({ hasLoops }) => hasLoops)) return new Map();
  const counting = countingClauses(query);
  const found = [...clausesIn(query)]
    .filter((clause) => counting.has(clause))
    .map((clause) => [clause, matchedSteps(clause).filter((step) => loops(step, schema).length > 0)] as const);
  return new Map(found.filter(([, steps]) => steps.length > 0));
};

/** The edge types of an undirected step that have loops. */
export const loops = (step: Step, schema: GraphSchema): readonly string[] =>
  step.direction === 'both' ? edgeTablesOf(step, schema).flatMap(({ type, hasLoops }) => (hasLoops ? [type] : [])) : [];

/** The changed clauses, and the starts of the steps cured in them. */
interface Cured {
  readonly clauses: readonly Clause[];
  readonly steps: readonly number[];
}

/** A sequence of MATCH clauses gets a WITH after it; one after other clauses also gets one before it. */
const cured = (
  clauses: readonly Clause[],
  doubled: Doubled,
  before: Scopes['before'],
  newName: () => string,
): Cured => {
  const at = clauses.findIndex((clause) => doubled.has(clause));
  if (at < 0) return { clauses, steps: [] };
  const from = clauses.slice(0, at).findLastIndex(({ kind }) => kind !== 'match') + 1;
  const after = clauses.findIndex(({ kind }, index) => index > at && kind !== 'match');
  const to = after < 0 ? clauses.length : after;
  const matches = clauses.slice(from, to).filter((clause) => clause.kind === 'match');
  const [place = { start: 0, end: 0 }] = matches;
  const rest = cured(clauses.slice(to), doubled, before, newName);
  const known = [...(matches[0] === undefined || from === 0 ? [] : (before.get(matches[0])?.keys() ?? []))];
  const steps = matches.flatMap((clause) => doubled.get(clause) ?? []).map(({ start }) => start);
  const used = namesIn(clauses.slice(to));
  if ((from > 0 && known.length === 0) || matches.some((clause) => !isPossible(clause, steps, used)))
    return { clauses: [...clauses.slice(0, to), ...rest.clauses], steps: rest.steps };
  const rows = from === 0 ? null : repeatedRows(known, newName, place);
  const listing = new Listing(steps, used, newName, rows?.names ?? []);
  const named = matches.map((clause) => listing.named(clause));
  return {
    clauses: [
      ...clauses.slice(0, from),
      ...(rows === null ? [] : [rows.before]),
      ...named,
      ...listing.clauses(place),
      ...(rows === null ? [] : [rows.after]),
      ...rest.clauses,
    ],
    steps: [...steps, ...rest.steps],
  };
};

const isPossible = ({ paths, optional }: MatchClause, steps: readonly number[], used: ReadonlySet<string>): boolean =>
  paths.every(
    (path) =>
      path.shortest === null &&
      path.steps.every(({ name: known, length, start }) =>
        length === null
          ? !(optional && steps.includes(start) && known !== null && used.has(known.text))
          : (length.mode ?? 'TRAIL') === 'TRAIL',
      ),
  );

/** Lists the values that make the rows of MATCH clauses distinct. */
class Listing {
  readonly #columns = new Map<string, Expression>();
  readonly #lists: (readonly [list: string, name: string])[] = [];

  /**
   * `doubled`: the starts of the steps; `used`: the names that later clauses need; `known`: those of earlier clauses.
   */
  constructor(
    readonly doubled: readonly number[],
    readonly used: ReadonlySet<string>,
    readonly newName: () => string,
    known: readonly string[],
  ) {
    for (const text of known) this.#columns.set(text, variable(text, { start: 0, end: 0 }));
  }

  named(clause: MatchClause): MatchClause {
    for (const { name: path } of clause.paths)
      if (path !== null) this.#columns.set(path.text, variable(path.text, path));
    const paths = clause.paths.map((path) => ({
      ...path,
      nodes: path.nodes.map((node) => {
        const own = node.name ?? name(this.newName(), node);
        this.#add(own.text, node.name !== null, call('id', [variable(own.text, node)], node));
        return { ...node, name: own };
      }),
      steps: path.steps.map((step) => {
        const own = step.name ?? name(this.newName(), step);
        const value = variable(own.text, step);
        const isUsed = this.used.has(own.text);
        if (step.length !== null) {
          const ids = [call('rels', [value], step), { kind: 'literal', value: '_id', ...place(step) } as const];
          this.#add(own.text, isUsed, call('properties', ids, step));
        } else {
          const isDoubled = this.doubled.includes(step.start);
          this.#add(own.text, isUsed && !isDoubled, call('id', [value], step));
          if (isUsed && isDoubled) {
            const list = this.newName();
            this.#columns.set(list, call('collect', [value], step));
            this.#lists.push([list, own.text]);
          }
        }
        return { ...step, name: own };
      }),
    }));
    return { ...clause, paths };
  }

  /** A column for a name: its value, or the identity of the value. */
  #add(text: string, isKept: boolean, identity: Expression): void {
    if (isKept) this.#columns.set(text, variable(text, identity));
    else this.#columns.set(this.newName(), identity);
  }

  clauses(span: Span): readonly Clause[] {
    const columns = [...this.#columns].map(([text, value]) => [value, text] as const);
    const first = (list: string): Expression => {
      const one = number('1', span);
      return { kind: 'slice', of: variable(list, span), from: one, to: one, separator: ':', ...place(span) };
    };
    return [
      { ...projection('with', columns, span), distinct: this.#lists.length === 0 },
      ...this.#lists.map(([list, text]) => unwind(first(list), text, span)),
    ];
  }
}

const place = ({ start, end }: Span): Span => ({ start, end });
