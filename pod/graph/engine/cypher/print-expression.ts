import { type QueryWriter } from './query-writer';
import {
  type BinaryOperator,
  type Comprehension,
  type Expression,
  type MapEntry,
  type MapProjection,
  type Quantifier,
} from './tree';

/** Prints an expression, with brackets where openCypher or FalkorDB needs them. */
export const printExpression = (writer: QueryWriter, value: Expression): void => {
  // The printer of its kind.
  const print = PRINTERS[value.kind] as (writer: QueryWriter, value: Expression) => void;
  print(writer, value);
};

type Printers = {
  readonly [K in Expression['kind']]: (writer: QueryWriter, value: Extract<Expression, { readonly kind: K }>) => void;
};

const PRINTERS: Printers = {
  literal: (writer, value) =>
    writer.put(typeof value.value === 'string' ? quoted(value.value) : `${value.value}`, value),
  number: (writer, value) => writer.put(numberText(value.text), value),
  parameter: (writer, value) => writer.put(`$\`${value.name}\``, value),
  variable: (writer, value) => writer.name({ ...value, text: value.name }),
  star: (writer, value) => writer.put('*', value),
  property: (writer, value) => {
    printOperand(writer, value.of, ACCESS);
    writer.put('.');
    writer.name(value.name);
  },
  index: (writer, value) => {
    printOperand(writer, value.of, COMPLETE);
    writer.within('[', ']', null, () => printExpression(writer, value.at));
  },
  slice: (writer, value) => {
    printOperand(writer, value.of, COMPLETE);
    writer.within('[', ']', null, () => {
      writer.after('', value.from);
      writer.put('..');
      writer.after('', value.to);
    });
  },
  has_labels: (writer, value) => {
    printOperand(writer, value.of, ACCESS);
    writer.put(':');
    writer.joined(value.labels.names, value.labels.of === 'any' ? '|' : ':', (name) => writer.name(name));
  },
  unary: (writer, value) => {
    const [operator, least] = value.operator === 'NOT' ? ['NOT ', NOT] : [value.operator, SIGN + 1];
    writer.prefixed(operator, () => printOperand(writer, value.of, least), value);
  },
  binary: (writer, value) => {
    const operator = BINARY[value.operator];
    // Powers associate to the right in FalkorDB.
    printOperand(writer, value.left, operator === undefined ? ACCESS : operator + (value.operator === '^' ? 1 : 0));
    writer.put(` ${value.operator} `);
    printOperand(writer, value.right, operator === undefined ? ACCESS : operator + 1);
  },
  comparison: (writer, value) => {
    printOperand(writer, value.first, COMPARISON + 1);
    for (const { operator, right } of value.rest) {
      writer.put(` ${operator} `);
      printOperand(writer, right, COMPARISON + 1);
    }
  },
  null_test: (writer, value) => {
    printOperand(writer, value.of, ACCESS);
    writer.put(value.negated ? ' IS NOT NULL' : ' IS NULL');
  },
  list: (writer, value) =>
    writer.within('[', ']', value, () =>
      writer.joined(value.items, ', ', (item) => printOperand(writer, item, beginsBinding(item) ? Infinity : 0)),
    ),
  map: (writer, value) =>
    writer.within('{', '}', value, () => writer.joined(value.entries, ', ', (entry) => printEntry(writer, entry))),
  map_projection: (writer, value) => {
    writer.name(value.of);
    writer.within(' {', '}', null, () => writer.joined(value.items, ', ', (item) => printItem(writer, item)));
  },
  call: (writer, value) =>
    writer.within(`${value.name}(${value.distinct ? 'DISTINCT ' : ''}`, ')', value, () =>
      writer.joined(value.arguments, ', ', (argument) => printExpression(writer, argument)),
    ),
  case: (writer, value) =>
    writer.within('CASE', ' END', value, () => {
      writer.after(' ', value.subject);
      for (const { when, then } of value.branches) {
        writer.after(' WHEN ', when);
        writer.after(' THEN ', then);
      }
      writer.after(' ELSE ', value.otherwise);
    }),
  pattern: (writer, value) => writer.rules.path(writer, value.path),
  subquery: (writer, value) =>
    writer.within(`${value.word} { `, ' }', value, () => writer.rules.query(writer, value.query)),
  comprehension: (writer, value) =>
    writer.within('[', ']', value, () => {
      printSource(writer, value);
      writer.after(' | ', value.value);
    }),
  pattern_comprehension: (writer, value) =>
    writer.within('[', ']', value, () => {
      writer.rules.path(writer, value.path);
      writer.after(' WHERE ', value.where);
      writer.after(' | ', value.value);
    }),
  quantifier: (writer, value) =>
    writer.within(`${value.which.toLowerCase()}(`, ')', value, () => printSource(writer, value)),
  reduction: (writer, value) =>
    writer.within('reduce(', ')', value, () => {
      writer.name(value.sum);
      writer.after(' = ', value.initial);
      writer.put(', ');
      printSource(writer, { ...value, where: null });
      writer.after(' | ', value.value);
    }),
};

/**
 * How strongly operators bind, in an order that openCypher and FalkorDB share. They differ in the predicates, as IN and IS
 * NULL: above arithmetic in FalkorDB, below it in openCypher. So those and their operands get brackets beside arithmetic.
 */
const BINARY: Readonly<Partial<Record<BinaryOperator, number>>> = {
  OR: 1,
  XOR: 2,
  AND: 3,
  '+': 7,
  '-': 7,
  '*': 8,
  '/': 8,
  '%': 8,
  '^': 9,
};
const NOT = 4;
const COMPARISON = 5;
const PREDICATE = 6;
const SIGN = 10;
const ACCESS = 11;
/** Literals, names, and expressions with their own brackets. */
const COMPLETE = 12;

const strengthOf = (value: Expression): number => {
  if (value.kind === 'binary') return BINARY[value.operator] ?? PREDICATE;
  if (value.kind === 'unary') return value.operator === 'NOT' ? NOT : SIGN;
  if (value.kind === 'comparison') return COMPARISON;
  if (value.kind === 'null_test') return PREDICATE;
  return ACCESSES.has(value.kind) ? ACCESS : COMPLETE;
};

const ACCESSES: ReadonlySet<Expression['kind']> = new Set([
  'property',
  'index',
  'slice',
  'has_labels',
  'map_projection',
]);

/** A string literal that every Cypher parser accepts. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Engines do not parse octal numbers and `.1e-5`. */
const numberText = (text: string): string =>
  /^0[xo]/i.test(text) ? String(BigInt(text)) : text.startsWith('.') ? `0${text}` : text;

/** Prints an operand, in brackets if its precedence is below `least`. */
const printOperand = (writer: QueryWriter, value: Expression, least: number): void => {
  if (strengthOf(value) >= least) return printExpression(writer, value);
  writer.within('(', ')', null, () => printExpression(writer, value));
};

/** Whether a list `[a IN b AND …]` of the expression would be a list comprehension. */
const beginsBinding = (value: Expression): boolean => {
  if (value.kind === 'comparison') return beginsBinding(value.first);
  if (value.kind === 'null_test') return beginsBinding(value.of);
  if (value.kind !== 'binary') return false;
  return (value.operator === 'IN' && value.left.kind === 'variable') || beginsBinding(value.left);
};

const printEntry = (writer: QueryWriter, { key, value }: MapEntry): void => {
  writer.name(key);
  writer.after(': ', value);
};

const printItem = (writer: QueryWriter, item: MapProjection['items'][number]): void => {
  if (item.kind === 'all') return writer.put('.*');
  if (item.kind === 'entry') return printEntry(writer, item.entry);
  if (item.kind === 'property') writer.put('.');
  writer.name(item.name);
};

/** `x IN list WHERE …`. */
const printSource = (
  writer: QueryWriter,
  { name, list, where }: Pick<Comprehension | Quantifier, 'name' | 'list' | 'where'>,
): void => {
  writer.name(name);
  writer.after(' IN ', list);
  writer.after(' WHERE ', where);
};
