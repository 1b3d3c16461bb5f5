import { call, name, number, projection, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { withListedStars } from '../../cypher/listed-stars';
import { type Quirk } from '../../cypher/quirk';
import { matchedSteps, shownText, type Step } from '../../cypher/steps';
import { type Clause, type Expression, type MatchClause, type Name, type Query, type Span } from '../../cypher/tree';
import { clausesIn, namesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** The rows of the first MATCH clauses of a query are distinct, so that DISTINCT by their nodes and edges cures them. */
export const loopsWithoutDirection: Quirk = {
  id: 'kuzu-loops-without-direction',
  description:
    'A step without a direction finds a loop twice; behind the first MATCH clauses the answer has a warning.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(a)',
    query: 'MATCH (:N)-[:E]-(:N) RETURN count(*)',
    right: [[1]],
    wrong: [[2]],
  },
  rewrite: (asked, context) => {
    if (doubledSteps(asked, context.schema).size === 0) return asked;
    const query = withListedStars(asked, 'as introduced');
    const doubled = doubledSteps(query, context.schema);
    return { ...query, parts: query.parts.map((clauses) => cured(clauses, doubled, context.newName) ?? clauses) };
  },
  warn: (query, { text, schema, newName }) => {
    const doubled = doubledSteps(query, schema);
    const areCured = query.parts
      .filter((clauses) => cured(clauses, doubled, newName) !== null)
      .flatMap((clauses) => firstMatches(clauses).flatMap((clause) => doubled.get(clause) ?? []));
    return [...doubled.values()]
      .flat()
      .filter((step) => !areCured.includes(step))
      .map(
        (step) =>
          `Kuzu finds a loop twice in ${shownText(text, step)}, because it has no direction: ${loops(step, schema).join(', ')} ` +
          'has edges from a node to itself. Give it a direction, or count with DISTINCT.',
      );
  },
};

type Doubled = ReadonlyMap<Clause, readonly Step[]>;

/** The steps whose loops are found twice, where that can be seen. */
const doubledSteps = (query: Query, schema: GraphSchema): Doubled => {
  if (!schema.edgeTables.some(({ hasLoops }) => hasLoops)) return new Map();
  const counting = countingClauses(query);
  const found = [...clausesIn(query)]
    .filter((clause) => counting.has(clause))
    .map((clause) => [clause, matchedSteps(clause).filter((step) => loops(step, schema).length > 0)] as const);
  return new Map(found.filter(([, steps]) => steps.length > 0));
};

/** The edge types of a step without a direction that have loops. */
export const loops = ({ direction, types }: Step, { edgeTables }: GraphSchema): readonly string[] =>
  direction !== 'both'
    ? []
    : edgeTables
        .filter(({ type, hasLoops }) => hasLoops && (types.length === 0 || types.some(({ text }) => text === type)))
        .map(({ type }) => type);

const firstMatches = (clauses: readonly Clause[]): readonly MatchClause[] => {
  const others = clauses.findIndex(({ kind }) => kind !== 'match');
  return clauses.slice(0, Math.max(others, 0)).filter((clause) => clause.kind === 'match');
};

/** Clauses with a WITH after the first MATCH clauses; null where it would not help, or is impossible. */
const cured = (clauses: readonly Clause[], doubled: Doubled, newName: () => string): readonly Clause[] | null => {
  const matches = firstMatches(clauses);
  const steps = matches.flatMap((clause) => doubled.get(clause) ?? []).map(({ start }) => start);
  if (steps.length === 0) return null;
  const rest = clauses.slice(matches.length);
  const used = namesIn(rest);
  const isImpossible = matches.some(({ paths, optional }) =>
    paths.some(
      (path) =>
        (path.name !== null && path.steps.some(({ length }) => length !== null)) ||
        path.shortest !== null ||
        path.steps.some(
          ({ name: known, length, start }) =>
            (length !== null && (mayBeginWithZero(length.min) || (length.mode ?? 'TRAIL') !== 'TRAIL')) ||
            (optional && length === null && steps.includes(start) && known !== null && used.has(known.text)),
        ),
    ),
  );
  if (isImpossible) return null;
  const listing = new Listing(steps, used, newName);
  const named = matches.map((clause) => listing.named(clause));
  return [...named, ...listing.clauses(named[0] ?? { start: 0, end: 0 }), ...rest];
};

const mayBeginWithZero = (min: Expression | null): boolean =>
  min !== null && (min.kind !== 'number' || Number(min.text) === 0);

/** Lists what makes the rows of MATCH clauses distinct. */
class Listing {
  readonly #columns = new Map<string, Expression>();
  readonly #paths: Name[] = [];
  readonly #lists: (readonly [list: string, name: string])[] = [];

  /** `doubled`: where the steps begin; `used`: the names that the clauses after need. */
  constructor(
    readonly doubled: readonly number[],
    readonly used: ReadonlySet<string>,
    readonly newName: () => string,
  ) {}

  named(clause: MatchClause): MatchClause {
    for (const path of clause.paths) if (path.name !== null) this.#paths.push(path.name);
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

  /** A column for a name: what it stands for, or the identity of that. */
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
    const listed = projection('with', columns, span);
    // The engine wants an alias for a path.
    const paths = this.#paths.map((path) => ({ value: variable(path.text, path), alias: path, ...place(path) }));
    return [
      { ...listed, items: [...listed.items, ...paths], distinct: this.#lists.length === 0 },
      ...this.#lists.map(([list, text]): Clause => ({
        kind: 'unwind',
        list: first(list),
        name: name(text, span),
        ...place(span),
      })),
    ];
  }
}

const place = ({ start, end }: Span): Span => ({ start, end });
