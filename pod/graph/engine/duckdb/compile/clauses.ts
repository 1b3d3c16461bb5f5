import { namesOfPaths } from '../../cypher/steps';
import {
  type Clause,
  type MatchClause,
  type ProcedureClause,
  type Query,
  type SubqueryClause,
  type UnwindClause,
} from '../../cypher/tree';
import { hasVolatile } from '../../cypher/walk';
import { allProperties } from '../../graph-schema';
import { compileCondition } from './condition';
import { closed, type Frame, HIDDEN, selected, type Variable, type Variables, withoutHidden } from './frame';
import { itemType } from './list-map';
import { isSameInAllRows, textLiteral } from './literal';
import { compileMatch } from './match';
import { compileProjection } from './projection';
import { INTEGER, NULL, simple, TEXT, typed } from './type';
import { unitedRows } from './united-rows';

/** The rows of a query: a frame with the columns of its result as variables. */
export const compileQuery = (
  query: Query,
  frame: Frame,
  outerNamesOf: (clauses: readonly Clause[]) => ReadonlySet<string> | null = () => frame.outerNames,
  rowNumber: string | null = null,
): Frame => {
  const { parts, unions } = query;
  checkUnions(query, frame);
  const [first = []] = parts;
  const part = (clauses: readonly Clause[]): Frame => {
    const rows = frame.sibling();
    rows.outerNames = outerNamesOf(clauses);
    if (rowNumber !== null) rows.filter(`${rowNumber} IS NOT NULL`);
    return compileClauses(clauses, rows);
  };
  if (parts.length === 1) return part(first);
  const rows = frame.sibling();
  rows.variables = unitedRows(parts.map(part), unions[0] ?? 'UNION', rows);
  return rows;
};

const compileClauses = (clauses: readonly Clause[], frame: Frame): Frame =>
  clauses.reduce((before, clause) => compileClause(clause, before), frame);

const compileClause = (clause: Clause, frame: Frame): Frame => {
  switch (clause.kind) {
    case 'match':
      return clause.optional ? optionalMatch(clause, frame) : compileMatch(clause.paths, clause.where, frame);
    case 'unwind':
      return unwind(clause, frame);
    case 'call_query':
      return subquery(clause, frame);
    case 'call_procedure':
      return procedure(clause, frame);
    case 'with': {
      const rows = compileProjection(clause, frame);
      // Only the columns of a WITH are in scope after it.
      rows.outerNames = new Set();
      return rows;
    }
    case 'return':
      return compileProjection(clause, frame);
  }
};

/** A row with null for the new names where nothing matches. */
const optionalMatch = ({ paths, where }: MatchClause, before: Frame): Frame => {
  const [frame, rowNumber] = withRowNumber([paths, where], before);
  const inside = frame.subquery();
  if (rowNumber !== null) inside.filter(`${rowNumber} IS NOT NULL`);
  const matched = compileMatch(paths, where, inside);
  const names = new Set(namesOfPaths(paths).filter((name) => frame.variable(name) === null));
  const columns = [...names].map((name): readonly [string, Variable] => {
    const { type, sql } = matched.variable(name) ?? NULL;
    return [name, { type, sql }];
  });
  return joined('LEFT JOIN', matched, new Map(columns), frame);
};

/** Adds the columns of a correlated subquery. */
const joined = (join: 'CROSS JOIN' | 'LEFT JOIN', rows: Frame, columns: Variables, frame: Frame): Frame => {
  const alias = frame.context.name('s');
  const { sql, variables, order } = selected(rows, columns, alias);
  frame.join(join, `LATERAL (${frame.local(sql)})`, alias);
  frame.variables = new Map([...frame.variables, ...variables]);
  frame.order = [...frame.order, ...order];
  return frame;
};

const unwind = ({ list, name }: UnwindClause, frame: Frame): Frame => {
  const value = frame.expression(list);
  if (value.type.kind === 'any')
    frame.context.refuse('Is this a list? UNWIND needs a value whose type is the same in all rows.', list);
  if (value.type.kind !== 'list' && value.type.kind !== 'null') {
    const one = `LATERAL (SELECT ${value.sql} AS x WHERE ${value.sql} IS NOT NULL)`;
    frame.join('CROSS JOIN', one, frame.context.name('u'));
    frame.variables = new Map([...frame.variables, [name.text, value]]);
    return frame;
  }
  const items = value.type.kind === 'null' ? 'CAST([] AS VARCHAR[])' : value.sql;
  if (isSameInAllRows(items)) {
    // Joined with the whole list, the database would store the rows before it.
    const alias = frame.context.name('u');
    const rows = `SELECT unnest(x), generate_subscripts(x, 1) FROM (SELECT ${items} AS x)`;
    frame.join('CROSS JOIN', `(${rows})`, alias, null, '(x, o)');
    frame.variables = new Map([...frame.variables, [name.text, simple(itemType(value), `${alias}.x`)]]);
    frame.order = [...frame.order, { sql: `${alias}.o`, descending: false }];
    return frame;
  }
  // A correlated join would compare whole lists, and keep one for each of its items.
  const { sql } = frame.column({ ...value, sql: items });
  frame.order = [...frame.order, { sql: `generate_subscripts(${sql}, 1)`, descending: false }];
  // UNNEST copies the other columns, and a list that is the same in all rows may be long.
  const others = [...frame.variables].filter(([, variable]) => frame.constantOf(variable) === undefined);
  const rows = closed(frame, new Map([...others, [name.text, typed(itemType(value), `unnest(${sql})`)]]));
  for (const [known, variable] of frame.variables) {
    const constant = frame.constantOf(variable);
    if (constant === undefined) continue;
    rows.variables = new Map([
      ...rows.variables,
      [known, { ...rows.column(typed(variable.type, constant)), constant }],
    ]);
  }
  return rows;
};

/** Without a list of names, only a WITH at the beginning of a part imports names. */
const subquery = ({ imports, query }: SubqueryClause, frame: Frame): Frame => {
  const namesOf = ([first]: readonly Clause[]): ReadonlySet<string> | null => {
    if (imports !== null) return new Set(imports.map(({ text }) => text));
    return first?.kind === 'with' ? null : new Set();
  };
  const [outer, rowNumber] = withRowNumber(query, frame);
  const rows = compileQuery(query, outer.subquery(), namesOf, rowNumber);
  return joined('CROSS JOIN', rows, rows.variables, outer);
};

/**
 * Rows with a number that a subquery with rand() must read: DuckDB computes a subquery once for all rows with the same
 * values of the columns that it reads.
 */
const withRowNumber = (part: object, frame: Frame): readonly [Frame, rowNumber: string | null] => {
  if (frame.isEmpty || !hasVolatile(part)) return [frame, null];
  const name = `${HIDDEN}row`;
  const rows = closed(frame, new Map([...frame.variables, [name, typed(INTEGER, 'row_number() OVER ()')]]));
  const number = rows.variables.get(name)?.sql ?? null;
  rows.variables = withoutHidden(rows.variables, 'row');
  return [rows, number];
};

/** openCypher does not say in which order UNION and UNION ALL are combined. */
const checkUnions = ({ parts, unions }: Query, { context }: Frame): void => {
  const [first] = parts[1] ?? [];
  if (new Set(unions).size > 1 && first !== undefined)
    context.refuse('UNION and UNION ALL cannot be mixed; write one of them in CALL { … }.', first);
};

/** Names of the graph. */
const procedure = (clause: ProcedureClause, frame: Frame): Frame => {
  const { schema } = frame.context;
  const lists: Readonly<Record<string, readonly [column: string, names: readonly string[]]>> = {
    'DB.LABELS': ['label', schema.nodeTables.map(({ label }) => label)],
    'DB.RELATIONSHIPTYPES': ['relationshipType', schema.edgeTables.map(({ type }) => type)],
    'DB.PROPERTYKEYS': ['propertyKey', [...new Set(allProperties(schema).map(({ name }) => name))]],
  };
  const [column = '', names = []] = lists[clause.name.toUpperCase()] ?? [];
  if (clause.arguments.length > 0) frame.context.refuse(`${clause.name} does not have arguments.`, clause);
  const yields = clause.yields ?? [{ name: { text: column, start: clause.start, end: clause.end }, alias: null }];
  const alias = frame.context.name('u');
  frame.join('CROSS JOIN', `unnest(CAST([${names.map(textLiteral).join(', ')}] AS VARCHAR[]))`, alias, null, '(x)');
  for (const { name, alias: other } of yields) {
    if (name.text !== column) frame.context.refuse(`${clause.name} has the column ${column}, not ${name.text}.`, name);
    frame.variables = new Map([...frame.variables, [(other ?? name).text, simple(TEXT, `${alias}.x`)]]);
  }
  if (clause.where !== null) frame.filter(compileCondition(clause.where, frame));
  return frame;
};
