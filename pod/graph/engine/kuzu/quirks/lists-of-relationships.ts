import { combinesRows } from '../../cypher/aggregates';
import { call, name, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type Expression } from '../../cypher/tree';
import { changeClauseLists, replaceOutermost } from '../../cypher/walk';

/** `rels(r)` replaces the name `r`, except where a WITH passes it on unchanged and in functions that accept a path. */
export const listsOfRelationships: Quirk = {
  id: 'kuzu-lists-of-relationships',
  description: 'The variable of a variable-length relationship is a path that includes the nodes.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH (:N {id: 1})-[r:E*2]->(n) RETURN size(r), n.id',
    right: [[2, 3]],
    wrong: 'error',
  },
  rewrite: (query) =>
    changeClauseLists(query, (clauses) => {
      let paths = new Set<string>();
      return clauses.map((clause) => {
        for (const text of stepNames(clause)) paths.add(text);
        const changed = paths.size === 0 ? clause : withLists(clause, paths);
        if (changed.kind === 'with') paths = new Set(passedOn(changed, paths));
        return changed;
      });
    }),
};

const stepNames = (clause: Clause): readonly string[] =>
  clause.kind !== 'match'
    ? []
    : clause.paths
        .flatMap(({ steps }) => steps)
        .flatMap((step) => (step.length === null || step.name === null ? [] : [step.name.text]));

const OF_PATHS = /^(nodes|rels|relationships|length|cost|is_trail|is_acyclic|properties)$/i;

const withLists = (clause: Clause, paths: ReadonlySet<string>): Clause => {
  const isPath = (value: Expression | undefined): boolean => value?.kind === 'variable' && paths.has(value.name);
  const listed = <P>(part: P): P =>
    replaceOutermost(part, (value, locals) => {
      if (value.kind === 'call' && OF_PATHS.test(value.name) && isPath(value.arguments[0])) return value;
      if (value.kind !== 'variable' || !paths.has(value.name) || locals.includes(value.name)) return null;
      return call('rels', [variable(value.name, value)], value);
    });
  if (clause.kind !== 'with' && clause.kind !== 'return') return listed(clause);
  const passes = clause.kind === 'with' && !combinesRows(clause);
  const items = clause.items.map((item) => {
    if (!isPath(item.value)) return listed(item);
    if (passes) return item;
    const text = item.value.kind === 'variable' ? item.value.name : '';
    return { ...item, value: listed(item.value), alias: item.alias ?? name(text, item) };
  });
  return { ...listed({ ...clause, items: [] }), items };
};

const passedOn = (
  { items }: Extract<Clause, { kind: 'with' | 'return' }>,
  paths: ReadonlySet<string>,
): readonly string[] =>
  items.flatMap(({ value, alias }) =>
    value.kind === 'variable' && paths.has(value.name) ? [alias?.text ?? value.name] : [],
  );
