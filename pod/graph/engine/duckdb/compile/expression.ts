import { aggregatesIn, isAggregate } from '../../cypher/aggregates';
import { shape } from '../../cypher/shape';
import {
  type Binary,
  type Call,
  type Case,
  type Comparison,
  type Comprehension,
  type Expression,
  type HasLabels,
  type IndexAccess,
  type MapProjection,
  type PatternComprehension,
  type Quantifier,
  type Reduction,
  type SliceAccess,
  type SubqueryExpression,
  type Unary,
} from '../../cypher/tree';
import { byTable, entityRows } from './entity';
import { closed, isEntity, listOfRows, NeedsRows, type Frame, type Variable } from './frame';
import { called } from './functions';
import { graphFunction, isGraphFunction } from './graph-functions';
import { converted, jsonText } from './json-text';
import { itemType, mappedList, usedOnce } from './list-map';
import { mappedCode, numberLiteral, textLiteral } from './literal';
import {
  allOf,
  arithmetic,
  comparison,
  equality,
  every,
  filteringEquality,
  isNumeric,
  membership,
  some,
} from './operators';
import { partOfTime, propertyOfEntity } from './property';
import { ANY, BOOLEAN, INTEGER, listOf, NULL, sqlTypeName, TEXT, unify, type Type, type Value } from './type';

/** The value of an expression in SQL. */
export const compileExpression = (value: Expression, frame: Frame): Value => {
  const column = frame.columnOf(() => shape(value));
  if (column !== undefined) return column;
  switch (value.kind) {
    case 'literal':
      if (value.value === null) return NULL;
      if (typeof value.value === 'boolean') return { sql: String(value.value), type: BOOLEAN, isSimple: true };
      return { sql: textLiteral(value.value), type: TEXT, isSimple: true };
    case 'number':
      return numberLiteral(value.text);
    case 'parameter':
      return frame.context.parameter(value);
    case 'variable':
      return variableOf(value.name, frame) ?? frame.context.refuse(`Unknown name ${value.name}.`, value);
    case 'list':
      return list(
        value.items.map((item) => compileExpression(item, frame)),
        frame,
      );
    case 'map':
      return map(value.entries.map(({ key, value: item }) => [key.text, compileExpression(item, frame)] as const));
    case 'map_projection':
      return mapProjection(value, frame);
    case 'property':
      return propertyOf(compileExpression(value.of, frame), value.name.text, value, frame);
    case 'index':
      return element(value, frame);
    case 'slice':
      return slice(value, frame);
    case 'has_labels':
      return { sql: labelTest(value, frame), type: BOOLEAN };
    case 'unary':
      return unary(value, frame);
    case 'binary':
      return binary(value, frame);
    case 'comparison':
      return { sql: comparisons(value, frame), type: BOOLEAN };
    case 'null_test': {
      const { sql, type } = compileExpression(value.of, frame);
      if (type.kind === 'null') return { sql: String(!value.negated), type: BOOLEAN, isSimple: true };
      return { sql: `(${sql} IS ${value.negated ? 'NOT ' : ''}NULL)`, type: BOOLEAN };
    }
    case 'call':
      return call(value, frame);
    case 'case':
      return caseOf(value, frame);
    case 'comprehension':
      return comprehension(value, frame);
    case 'quantifier':
      return { sql: quantifier(value, frame), type: BOOLEAN };
    case 'reduction':
      return reduction(value, frame);
    case 'pattern':
      return pattern(value, frame);
    case 'pattern_comprehension':
      return patternComprehension(value, frame);
    case 'subquery':
      return subquery(value, frame);
    case 'star':
    case 'cast':
    case 'lambda':
    case 'named_argument':
      return frame.context.refuse('This syntax is not openCypher.', value);
  }
};

const variableOf = (name: string, frame: Frame): Variable | null => {
  const found = frame.find(name);
  return found === null ? null : { ...found.variable, owner: found.frame };
};

/** A condition: true, false or null. */
export const compileCondition = (value: Expression, frame: Frame): string =>
  truth(compileExpression(value, frame), value, frame);

/** A condition of which only the truth counts, in the form that can use the order of tables. */
export const compileFilter = (value: Expression, frame: Frame): string => {
  const isNegated = value.kind === 'unary' && value.operator === 'NOT';
  const tested = isNegated ? value.of : value;
  if (/^(pattern|subquery|call)$/.test(tested.kind)) {
    const condition = compileExpression(tested, frame);
    const sql = condition.exists ?? truth(condition, tested, frame);
    return isNegated ? `(NOT ${sql})` : sql;
  }
  if (value.kind !== 'comparison' || value.rest.length !== 1 || value.rest[0]?.operator !== '=')
    return compileCondition(value, frame);
  const [left, right] = [compileExpression(value.first, frame), compileExpression(value.rest[0].right, frame)];
  return filteringEquality(left, right, frame, value);
};

const truth = ({ sql, type }: Value, at: Expression, frame: Frame): string => {
  if (type.kind === 'boolean') return sql;
  if (type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  return frame.context.refuse('A condition must be true or false; compare the value with another one.', at);
};

export const list = (items: readonly Value[], frame: Frame): Value => {
  const type = items.map((item) => item.type).reduce(unify, NULL.type);
  const texts = items.map((item) => converted(item, type, frame));
  const sql = texts.length === 0 ? '[]' : `[${texts.join(', ')}]`;
  const parts = items.map((item, at) =>
    type.kind === 'any' ? { ...item, sql: texts[at] ?? '', type: item.type.kind === 'null' ? item.type : type } : item,
  );
  return {
    sql: type.kind === 'null' ? `CAST(${sql.replaceAll(/CAST\(NULL AS VARCHAR\)/g, 'NULL')} AS VARCHAR[])` : sql,
    type: listOf(type),
    parts,
    isSimple: items.length === 0,
  };
};

const map = (entries: readonly (readonly [string, Value])[]): Value => {
  // The last of several equal keys counts.
  const fields = [...new Map(entries)];
  const texts = fields.map(
    ([, value], at) => `'f${at}': ${value.type.kind === 'null' ? 'CAST(NULL AS VARCHAR)' : value.sql}`,
  );
  return {
    sql: fields.length === 0 ? `{'f0': CAST(NULL AS BOOLEAN)}` : `{${texts.join(', ')}}`,
    type: { kind: 'map', fields: fields.map(([name, { type }]) => ({ name, type })) },
    parts: fields.map(([, value]) => value),
  };
};

const mapProjection = (value: MapProjection, frame: Frame): Value => {
  const { context } = frame;
  const of = variableOf(value.of.text, frame) ?? context.refuse(`Unknown name ${value.of.text}.`, value.of);
  if (of.type.kind === 'null') return NULL;
  const entries = value.items.flatMap((item): readonly (readonly [string, Value])[] => {
    switch (item.kind) {
      case 'property':
        return [[item.name.text, propertyOf(of, item.name.text, value, frame)]];
      case 'variable':
        return [[item.name.text, variableOf(item.name.text, frame) ?? NULL]];
      case 'entry':
        return [[item.entry.key.text, compileExpression(item.entry.value, frame)]];
      case 'all':
        return isEntity(of.type) ? [] : context.refuse('Write the properties one by one: {.name, .age}.', value);
    }
  });
  const hasAll = value.items.some(({ kind }) => kind === 'all');
  const { sql, type, parts } = hasAll ? allProperties(of, entries, value, frame) : map(entries);
  if (of.isCertain === true) return { sql, type, ...(parts === undefined ? {} : { parts }) };
  return { sql: `CASE WHEN ${of.sql} IS NOT NULL THEN ${sql} END`, type };
};

/** JSON text, because the properties that are null are missing. */
const allProperties = (
  of: Variable,
  entries: readonly (readonly [string, Value])[],
  at: MapProjection,
  frame: Frame,
): Value => {
  const { type } = of;
  if (!isEntity(type)) return frame.context.refuse('.* needs a node or a relationship.', at);
  const names = new Set(
    type.tables.flatMap((table) => frame.context.storedColumns(type.kind, table).map(({ name }) => name)),
  );
  const chosen = new Map(entries);
  const stored = [...names]
    .filter((name) => !chosen.has(name))
    .map((name) => [name, propertyOfEntity(of, type, name, frame)] as const);
  const texts = [
    ...stored.map(([name, value]) => memberText(name, value, frame)),
    ...[...chosen].map(
      ([name, value]) => `${textLiteral(`${JSON.stringify(name)}:`)} || coalesce(${jsonText(value, frame)}, 'null')`,
    ),
  ];
  return { sql: `('{' || concat_ws(',', ${texts.join(', ')}) || '}')`, type: ANY };
};

/** `"name":value`, null for a missing value. */
const memberText = (name: string, value: Value, frame: Frame): string =>
  `(${textLiteral(`${JSON.stringify(name)}:`)} || ${jsonText(value, frame)})`;

export const propertyOf = (of: Value, name: string, at: Expression, frame: Frame): Value => {
  const { type } = of;
  if (type.kind === 'null') return NULL;
  if (isEntity(type)) return propertyOfEntity(of, type, name, frame);
  if (type.kind === 'map') {
    const place = type.fields.findIndex((field) => field.name === name);
    const field = type.fields[place];
    if (field === undefined) return NULL;
    return (
      of.parts?.[place] ?? {
        sql: `struct_extract(${of.sql}, 'f${place}')`,
        type: field.type,
        isSimple: of.isSimple === true,
      }
    );
  }
  if (type.kind === 'stored_map' && type.key.kind === 'text')
    return { sql: `(${of.sql})[${textLiteral(name)}]`, type: type.value };
  const part = type.kind === 'date' || type.kind === 'timestamp' ? partOfTime(of, name, frame) : null;
  return part ?? frame.context.refuse(`The property ${name} of this value is not possible here.`, at);
};

const element = (value: IndexAccess, frame: Frame): Value => {
  const [of, at] = [compileExpression(value.of, frame), compileExpression(value.at, frame)];
  if (of.type.kind === 'null' || at.type.kind === 'null') return NULL;
  if (value.at.kind === 'literal' && typeof value.at.value === 'string')
    return propertyOf(of, value.at.value, value, frame);
  if (of.type.kind !== 'list' || at.type.kind !== 'integer')
    return frame.context.refuse('Write the name of the property, or a list and an integer: list[0].', value);
  const { item } = of.type;
  if (/^\d+::BIGINT$/.test(at.sql))
    return { sql: `${of.sql}[${BigInt(at.sql.replace('::BIGINT', '')) + 1n}]`, type: item };
  return {
    sql: usedOnce(at, frame, ({ sql }) => `${of.sql}[CASE WHEN ${sql} >= 0 THEN ${sql} + 1 ELSE ${sql} END]`),
    type: item,
  };
};

/** Bounds count from 0, or from the end if they are negative; the second one is not included. */
const slice = ({ of, from, to, ...at }: SliceAccess, frame: Frame): Value => {
  const whole = compileExpression(of, frame);
  const bounds = [from, to].map((bound) => (bound === null ? null : compileExpression(bound, frame)));
  if (whole.type.kind === 'null' || bounds.some((bound) => bound?.type.kind === 'null')) return NULL;
  const isValid = bounds.every((bound) => bound === null || bound.type.kind === 'integer');
  if (whole.type.kind !== 'list' || !isValid) return frame.context.refuse('A slice needs a list and integers.', at);
  const [first = null, last = null] = bounds;
  const sql = usedOnce(whole, frame, ({ sql: all }) => {
    const place = (bound: Value): string =>
      usedOnce(
        bound,
        frame,
        ({ sql: count }) => `greatest(CASE WHEN ${count} < 0 THEN len(${all}) + ${count} ELSE ${count} END, 0)`,
      );
    const isNull = [first, last].flatMap((bound) => (bound === null ? [] : [`${bound.sql} IS NULL`]));
    const begin = first === null ? '1' : `${place(first)} + 1`;
    const end = last === null ? `len(${all})` : place(last);
    const cut = `list_slice(${all}, ${begin}, ${end})`;
    return isNull.length === 0 ? cut : `CASE WHEN NOT (${isNull.join(' OR ')}) THEN ${cut} END`;
  });
  return { sql, type: whole.type };
};

const labelTest = ({ of, labels, ...at }: HasLabels, frame: Frame): string => {
  const entity = compileExpression(of, frame);
  if (entity.type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  if (!isEntity(entity.type)) return frame.context.refuse('A label belongs to a node or a relationship.', at);
  const { kind, tables } = entity.type;
  const nameOf = (table: number): string | undefined =>
    kind === 'node' ? frame.context.schema.nodeTables[table]?.label : frame.context.schema.edgeTables[table]?.type;
  const fits = (table: number): boolean => {
    const hits = labels.names.map(({ text }) => nameOf(table) === text);
    return labels.of === 'all' ? !hits.includes(false) : hits.includes(true);
  };
  return usedOnce(entity, frame, ({ sql }) => byTable(sql, tables, (table) => String(fits(table))));
};

const unary = ({ operator, of, ...at }: Unary, frame: Frame): Value => {
  if (operator === 'NOT') return { sql: `(NOT ${compileCondition(of, frame)})`, type: BOOLEAN };
  if (operator === '-' && of.kind === 'number') return numberLiteral(of.text, '-');
  const value = compileExpression(of, frame);
  if (value.type.kind === 'null') return NULL;
  if (operator === '!' || !isNumeric(value.type)) return frame.context.refuse(`${operator} needs a number.`, at);
  return operator === '+'
    ? value
    : { sql: `(-${value.sql})`, type: value.type.kind === 'integer' ? INTEGER : { ...value.type } };
};

const binary = (value: Binary, frame: Frame): Value => {
  const { operator, left, right } = value;
  if (operator === 'AND' || operator === 'OR' || operator === 'XOR') {
    const [a, b] = [compileCondition(left, frame), compileCondition(right, frame)];
    return { sql: operator === 'XOR' ? `(${a} <> ${b})` : `(${a} ${operator} ${b})`, type: BOOLEAN };
  }
  const [a, b] = [compileExpression(left, frame), compileExpression(right, frame)];
  switch (operator) {
    case 'IN':
      return { sql: membership(a, b, frame, value), type: BOOLEAN };
    case 'STARTS WITH':
    case 'ENDS WITH':
    case 'CONTAINS':
    case '=~': {
      if (a.type.kind === 'any' || b.type.kind === 'any')
        return frame.context.refuse(`${operator} needs texts; write toString(…).`, value);
      if (a.type.kind !== 'text' || b.type.kind !== 'text') return { sql: 'CAST(NULL AS BOOLEAN)', type: BOOLEAN };
      return { sql: `${TEXT_TESTS[operator]}(${a.sql}, ${b.sql})`, type: BOOLEAN };
    }
    case '|':
    case '&':
    case '<<':
    case '>>':
      return frame.context.refuse(`The operator ${operator} is not openCypher.`, value);
    default:
      return arithmetic(a, operator, b, frame, value);
  }
};

const TEXT_TESTS = {
  'STARTS WITH': 'starts_with',
  'ENDS WITH': 'suffix',
  CONTAINS: 'contains',
  '=~': 'regexp_full_match',
} as const;

const comparisons = (value: Comparison, frame: Frame): string => {
  const operands = [value.first, ...value.rest.map(({ right }) => right)].map((operand) =>
    compileExpression(operand, frame),
  );
  return allOf(
    value.rest.map(({ operator }, at) =>
      comparison(operands[at] ?? NULL, operator, operands[at + 1] ?? NULL, frame, value),
    ),
  );
};

const call = (value: Call, frame: Frame): Value => {
  if (isAggregate(value) && aggregatesIn(value)[0] === value)
    return frame.context.refuse(`${value.name} is possible in WITH and RETURN only.`, value);
  const [first] = value.arguments;
  const name = value.name.toUpperCase();
  if (first?.kind === 'pattern' && first.path.shortest === null && (name === 'SIZE' || name === 'EXISTS')) {
    const matched = frame.compilers.match([first.path], null, frame.subquery());
    if (name === 'EXISTS') return existence(matched);
    return { sql: `(SELECT count(*)${matched.source})`, type: INTEGER };
  }
  const values = value.arguments.map((argument) => compileExpression(argument, frame));
  return isGraphFunction(name) ? graphFunction(value, values, frame) : called(value, values, frame);
};

const caseOf = ({ subject, branches, otherwise, ...at }: Case, frame: Frame): Value => {
  const wanted = subject === null ? null : compileExpression(subject, frame);
  const conditionOf = (when: Expression, value: Value | null): string =>
    value === null ? compileCondition(when, frame) : equality(value, compileExpression(when, frame), frame, at);
  const results = branches.map(({ then }) => compileExpression(then, frame));
  const last = otherwise === null ? NULL : compileExpression(otherwise, frame);
  const type = [...results, last].map((result) => result.type).reduce(unify, NULL.type);
  if (type.kind === 'null') return NULL;
  const write = (value: Value | null): string => {
    const texts = branches.map(
      ({ when }, index) => `WHEN ${conditionOf(when, value)} THEN ${converted(results[index] ?? NULL, type, frame)}`,
    );
    return `CASE ${texts.join(' ')} ELSE ${converted(last, type, frame)} END`;
  };
  return { sql: wanted === null || wanted.isSimple === true ? write(wanted) : write(frame.column(wanted)), type };
};

/** A frame in which a name is an item of a list. */
const withItem = (inside: Frame, name: string, item: Value): Frame => {
  inside.variables = new Map([...inside.variables, [name, item]]);
  return inside;
};

const comprehension = ({ name, list: of, where, value }: Comprehension, frame: Frame): Value => {
  const items = compileExpression(of, frame);
  if (items.type.kind === 'null') return NULL;
  if (items.type.kind !== 'list') return frame.context.refuse('IN needs a list here.', of);
  return mappedList(items, frame, (item, inside) => {
    const local = withItem(inside, name.text, item);
    const result = value === null ? item : compileExpression(value, local);
    return {
      value: result.type.kind === 'null' ? { sql: 'CAST(NULL AS VARCHAR)', type: NULL.type } : result,
      condition: where === null ? null : compileCondition(where, local),
    };
  });
};

const quantifier = ({ which, name, list: of, where, ...at }: Quantifier, frame: Frame): string => {
  if (where === null) return frame.context.refuse(`${which} needs WHERE and a condition.`, at);
  const items = compileExpression(of, frame);
  if (items.type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  if (items.type.kind !== 'list') return frame.context.refuse('IN needs a list here.', of);
  const { parts } = items;
  if (parts !== undefined && which !== 'SINGLE') {
    const conditions = parts.map((part) => {
      const inside = frame.isLambda ? frame.lambda(new Map()) : frame;
      const before = inside.variables;
      const condition = compileCondition(where, withItem(inside, name.text, part));
      inside.variables = before;
      return condition;
    });
    if (which === 'ALL') return allOf(conditions);
    const any = conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`;
    return which === 'ANY' ? any : `(NOT ${any})`;
  }
  const truths = mappedList(items, frame, (item, inside) => ({
    value: { sql: compileCondition(where, withItem(inside, name.text, item)), type: BOOLEAN },
    condition: null,
  }));
  if (which === 'ALL') return every(truths.sql, frame);
  if (which === 'ANY') return some(truths.sql, frame);
  if (which === 'NONE') return `(NOT ${some(truths.sql, frame)})`;
  return usedOnce(truths, frame, ({ sql }) => {
    const count = `len(list_filter(${sql}, lambda y: y))`;
    const rest = `CASE WHEN list_count(${sql}) < len(${sql}) THEN NULL WHEN ${sql} IS NOT NULL THEN ${count} = 1 END`;
    return `CASE WHEN ${count} > 1 THEN false ELSE ${rest} END`;
  });
};

const MAX_TYPE_CHANGES = 4;

/** Both arguments of DuckDB's function need the type of the list's items, so an item is a struct with the sum. */
const reduction = ({ sum, initial, name, list: of, value, ...at }: Reduction, frame: Frame): Value => {
  const [start, items] = [compileExpression(initial, frame), compileExpression(of, frame)];
  if (items.type.kind === 'null') return NULL;
  if (items.type.kind !== 'list') return frame.context.refuse('IN needs a list here.', of);
  const { item } = items.type;
  const names = [frame.context.name('x'), frame.context.name('x')] as const;
  let type: Type = start.type;
  for (let change = 0; change < MAX_TYPE_CHANGES; change++) {
    const inside = frame.lambda(new Map());
    withItem(inside, sum.text, { sql: `${names[0]}.s`, type, isSimple: true });
    withItem(inside, name.text, { sql: `${names[1]}.i`, type: item, isSimple: true });
    let next: Value;
    try {
      next = compileExpression(value, inside);
    } catch (error) {
      if (!(error instanceof NeedsRows)) throw error;
      return frame.context.refuse('reduce cannot read the graph; name the values of its items by a list before.', at);
    }
    const result = unify(type, next.type);
    if (result.kind === 'any') break;
    if (JSON.stringify(result) === JSON.stringify(type)) {
      const [sumType, itemSql] = [sqlTypeName(type), sqlTypeName(item)];
      const captured = new Map<string, string>();
      const sumText = withCaptured(`CAST(${converted(next, type, inside)} AS ${sumType})`, names, captured);
      const others = [...captured].map(([column, field]) => `, '${field}': ${column}`).join('');
      const kept = [...captured.values()].map((field) => `, '${field}': ${names[0]}.${field}`).join('');
      const y = frame.context.name('x');
      const pairs = `list_transform(${items.sql}, lambda ${y}: {'s': CAST(NULL AS ${sumType}), 'i': ${y}${others}})`;
      const body = `{'s': ${sumText}, 'i': CAST(NULL AS ${itemSql})${kept}}`;
      const first = `{'s': CAST(${converted(start, type, frame)} AS ${sumType}), 'i': CAST(NULL AS ${itemSql})${others}}`;
      const reduced = `list_reduce(${pairs}, lambda ${names.join(', ')}: ${body}, ${first}).s`;
      return { sql: frame.local(reduced), type };
    }
    type = result;
  }
  return frame.context.refuse('The type of this reduce changes from item to item; use toFloat(…) or toString(…).', at);
};

/** As a value it is a count, because DuckDB 1.5 compares nulls from outside wrongly in an EXISTS that is a column. */
const existence = (rows: Frame): Value => {
  const exists = `EXISTS (SELECT 1${rows.source})`;
  return { sql: `((SELECT count(*)${rows.source}) > 0)`, type: BOOLEAN, exists };
};

/**
 * The text of a lambda's body that reads columns and outer names from its first argument: list_reduce of DuckDB 1.5
 * mixes the rows of columns in its lambda. `captured`: the fields by the text of their values.
 */
const withCaptured = (body: string, names: readonly string[], captured: Map<string, string>): string => {
  const inner = new Set([
    ...names,
    ...[...body.matchAll(/lambda ([\w, ]+):/g)].flatMap(([, list = '']) => list.split(', ')),
  ]);
  return mappedCode(body, (code) =>
    code.replaceAll(/(?<![.\w])([a-z]\d+)(\.\w+)?/g, (text, name: string, access = '') => {
      if (inner.has(name)) return text;
      const isLocal = name.startsWith('x');
      const value = isLocal ? name : text;
      const field = captured.get(value) ?? `o${captured.size}`;
      captured.set(value, field);
      return `${names[0]}.${field}${isLocal ? access : ''}`;
    }),
  );
};

const pattern = (value: Extract<Expression, { kind: 'pattern' }>, frame: Frame): Value => {
  const { path } = value;
  if (path.shortest !== null) {
    const name = path.name ?? { text: ' path', start: path.start, end: path.end };
    const matched = frame.compilers.match([{ ...path, name }], null, frame.subquery());
    const found = matched.find(name.text)?.variable ?? NULL;
    return { sql: `(SELECT ${found.sql}${matched.source} LIMIT 1)`, type: found.type };
  }
  const matched = frame.compilers.match([path], null, frame.subquery());
  return existence(matched);
};

const patternComprehension = ({ path, where, value }: PatternComprehension, frame: Frame): Value => {
  const matched = frame.compilers.match([path], where, frame.subquery());
  const item = compileExpression(value, matched);
  const sql = item.type.kind === 'null' ? 'CAST(NULL AS VARCHAR)' : item.sql;
  return { sql: listOfRows(matched, sql), type: listOf(item.type) };
};

const subquery = ({ word, query }: SubqueryExpression, frame: Frame): Value => {
  const rows = frame.compilers.query(query, frame.subquery());
  if (word === 'EXISTS') return existence(rows);
  if (word === 'COUNT') return { sql: `(SELECT count(*)${rows.source})`, type: INTEGER };
  const [column = NULL] = rows.variables.values();
  const sql = column.type.kind === 'null' ? 'CAST(NULL AS VARCHAR)' : column.sql;
  return { sql: listOfRows(rows, sql), type: listOf(column.type) };
};

void closed;
void entityRows;
void itemType;
