import { type CypherToken, cypherTokens } from '../../pod/graph/engine/cypher/cypher-tokens';
import { parseStatement } from '../../pod/graph/engine/cypher/parse-statement';
import { type Clause, type Expression, type PathPattern } from '../../pod/graph/engine/cypher/tree';
import { type Row, valueOf } from '../../pod/graph/engine/evaluate/context';
import { afterClauses } from '../../pod/graph/engine/evaluate/evaluate-clauses';
import {
  type Graph,
  GraphNode,
  GraphRelationship,
  isMap,
  type Value,
  type ValueMap,
} from '../../pod/graph/engine/evaluate/values';
import { contextIn } from '../proof/cypher/evaluate-query';

/** The graph after statements of CREATE, DELETE and reading clauses, one after the other. */
export const initialGraph = (statements: readonly string[]): Graph =>
  statements.reduce(afterStatement, { nodes: [], relationships: [] });

const FIRST_WORDS = new Set(['CREATE', 'DELETE', 'MATCH', 'UNWIND', 'WITH']);

/** Where the clauses of a statement begin. */
const clauseStarts = (text: string): readonly CypherToken[] =>
  cypherTokens(text).filter(
    ({ kind, upper }, at, tokens) =>
      kind === 'word' && FIRST_WORDS.has(upper) && !/^(?:STARTS|ENDS)$/.test(tokens[at - 1]?.upper ?? ''),
  );

const afterStatement = (before: Graph, text: string): Graph => {
  let graph = before;
  let rows: readonly Row[] = [new Map()];
  const starts = clauseStarts(text);
  for (const [at, { upper, start, end }] of starts.entries()) {
    const rest = text.slice(end, starts[at + 1]?.start).replace(/;\s*$/, '');
    if (upper === 'CREATE') {
      const creation = new Creation(graph, text);
      const [clause] = clausesOf(`MATCH ${rest}`);
      if (clause?.kind !== 'match') throw new Error(`Cannot read CREATE${rest}`);
      rows = rows.map((row) => clause.paths.reduce((all, path) => creation.path(path, all), row));
      graph = creation.graph;
    } else if (upper === 'DELETE') {
      const deleted = new Set(rows.map((row) => row.get(rest.trim())));
      graph = { ...graph, relationships: graph.relationships.filter((relationship) => !deleted.has(relationship)) };
    } else {
      const clauses = clausesOf(text.slice(start, starts[at + 1]?.start));
      rows = afterClauses(clauses, rows, contextIn(graph, text)).rows;
    }
  }
  return graph;
};

const clausesOf = (text: string): readonly Clause[] =>
  parseStatement(`${text}\nRETURN 1`).query.parts[0]?.slice(0, -1) ?? [];

class Creation {
  readonly #nodes: GraphNode[];
  readonly #relationships: GraphRelationship[];
  constructor(
    private readonly before: Graph,
    private readonly text: string,
  ) {
    this.#nodes = [...before.nodes];
    this.#relationships = [...before.relationships];
  }

  get graph(): Graph {
    return { nodes: this.#nodes, relationships: this.#relationships };
  }

  path({ nodes, steps }: PathPattern, before: Row): Row {
    const row = new Map(before);
    const made = nodes.map(({ name, labels, properties }) => {
      const given = name === null ? undefined : row.get(name.text);
      if (given instanceof GraphNode) return given;
      const names = labels?.names.map(({ text }) => text) ?? [];
      const node = new GraphNode(this.#nodes.length, names, this.#properties(properties, row));
      this.#nodes.push(node);
      if (name !== null) row.set(name.text, node);
      return node;
    });
    for (const [at, { name, types, direction, properties }] of steps.entries()) {
      const [from, to] = [made[at], made[at + 1]];
      if (from === undefined || to === undefined) continue;
      const [start, end] = direction === 'left' ? [to, from] : [from, to];
      const id = (this.#relationships.at(-1)?.id ?? -1) + 1;
      const relationship = new GraphRelationship(
        id,
        types[0]?.text ?? '',
        start,
        end,
        this.#properties(properties, row),
      );
      this.#relationships.push(relationship);
      if (name !== null) row.set(name.text, relationship);
    }
    return row;
  }

  #properties(expression: Expression | null, row: Row): ValueMap {
    const value: Value = expression === null ? null : valueOf(expression, row, contextIn(this.before, this.text));
    return isMap(value) ? new Map([...value].filter(([, item]) => item !== null)) : new Map<string, Value>();
  }
}
