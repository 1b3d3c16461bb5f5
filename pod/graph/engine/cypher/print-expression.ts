import { quoted } from '../literal';
import { type QueryWriter } from './query-writer';
import { type Expression, type MapEntry, type MapProjection, type Name } from './tree';

/** Prints an expression, with brackets where the engine needs them. */
export const printExpression = (writer: QueryWriter, value: Expression): void => {
  switch (value.kind) {
    case 'literal':
      return writer.put(typeof value.value === 'string' ? quoted(value.value) : `${value.value}`, value);
    case 'number':
      return writer.put(numberText(value.text), value);
    case 'parameter':
      return writer.put(writer.dialect.parameter?.(value.name) ?? `$${value.name}`, value);
    case 'variable':
      return writer.name({ ...value, text: value.name });
    case 'star':
      return writer.put('*', value);
    case 'property':
    case 'index':
    case 'slice':
    case 'has_labels':
    case 'unary':
    case 'binary':
    case 'comparison':
    case 'null_test':
      return printOperation(writer, value);
    case 'list':
    case 'map':
    case 'map_projection':
    case 'call':
    case 'case':
    case 'pattern':
    case 'subquery':
      return printBracketed(writer, value);
    case 'comprehension':
    case 'pattern_comprehension':
    case 'quantifier':
    case 'reduction':
      return printBinding(writer, value);
  }
};

/** Engines do not parse octal numbers and `.1e-5`. */
const numberText = (text: string): string =>
  /^0[xo]/i.test(text) ? String(BigInt(text)) : text.startsWith('.') ? `0${text}` : text;

type Operation = Extract<
  Expression,
  { kind: 'property' | 'index' | 'slice' | 'has_labels' | 'unary' | 'binary' | 'comparison' | 'null_test' }
>;

const printOperation = (writer: QueryWriter, value: Operation): void => {
  const own = writer.dialect.strength(value);
  switch (value.kind) {
    case 'property':
      printOperand(writer, value.of, own);
      writer.put('.');
      return writer.name(value.name);
    case 'index':
      printOperand(writer, value.of, own + 1);
      return writer.within('[', ']', null, () => printExpression(writer, value.at));
    case 'slice':
      printOperand(writer, value.of, own + 1);
      return writer.within('[', ']', null, () => {
        writer.after('', value.from);
        writer.put('..');
        writer.after('', value.to);
      });
    case 'has_labels':
      printOperand(writer, value.of, own);
      writer.put(':');
      return writer.joined(value.labels.names, value.labels.of === 'any' ? '|' : ':', (name) => writer.name(name));
    case 'unary': {
      const least = own + (value.operator === 'NOT' ? 0 : 1);
      const operator = value.operator === 'NOT' ? 'NOT ' : value.operator;
      return writer.prefixed(operator, () => printOperand(writer, value.of, least), value);
    }
    case 'binary': {
      const least = own + (writer.dialect.bracketsLeft.has(value.operator) ? 1 : 0);
      printOperand(writer, value.left, least);
      writer.put(` ${value.operator} `);
      return printOperand(writer, value.right, own + 1);
    }
    case 'comparison':
      printOperand(writer, value.first, own + 1);
      return value.rest.forEach(({ operator, right }) => {
        writer.put(` ${operator} `);
        printOperand(writer, right, own + 1);
      });
    case 'null_test':
      printOperand(writer, value.of, own + 1);
      return writer.put(value.negated ? ' IS NOT NULL' : ' IS NULL');
  }
};

/** Prints an operand, in brackets if its precedence is below `least`. */
const printOperand = (writer: QueryWriter, value: Expression, least: number): void => {
  if (writer.dialect.strength(value) >= least) return printExpression(writer, value);
  writer.within('(', ')', null, () => printExpression(writer, value));
};

type Bracketed = Extract<
  Expression,
  { kind: 'list' | 'map' | 'map_projection' | 'call' | 'case' | 'pattern' | 'subquery' }
>;

/** Whether a list `[a IN b AND …]` of the expression would be a list comprehension. */
const beginsBinding = (value: Expression): boolean => {
  if (value.kind === 'comparison') return beginsBinding(value.first);
  if (value.kind === 'null_test') return beginsBinding(value.of);
  if (value.kind !== 'binary') return false;
  return (value.operator === 'IN' && value.left.kind === 'variable') || beginsBinding(value.left);
};

/** Expressions with their own brackets or keywords around them. */
const printBracketed = (writer: QueryWriter, value: Bracketed): void => {
  switch (value.kind) {
    case 'list':
      return writer.within('[', ']', value, () =>
        writer.joined(value.items, ', ', (item) => printOperand(writer, item, beginsBinding(item) ? Infinity : 0)),
      );
    case 'map':
      return writer.within('{', '}', value, () =>
        writer.joined(value.entries, ', ', (entry) => printEntry(writer, entry)),
      );
    case 'map_projection':
      writer.name(value.of);
      return writer.within(' {', '}', null, () => writer.joined(value.items, ', ', (item) => printItem(writer, item)));
    case 'call':
      return writer.within(`${value.name}(${value.distinct ? 'DISTINCT ' : ''}`, ')', value, () =>
        printAll(writer, value.arguments),
      );
    case 'case':
      return writer.within('CASE', ' END', value, () => {
        writer.after(' ', value.subject);
        for (const { when, then } of value.branches) {
          writer.after(' WHEN ', when);
          writer.after(' THEN ', then);
        }
        writer.after(' ELSE ', value.otherwise);
      });
    case 'pattern':
      return writer.rules.path(writer, value.path);
    case 'subquery':
      return writer.within(`${value.word} { `, ' }', value, () => writer.rules.query(writer, value.query));
  }
};

type Binding = Extract<Expression, { kind: 'comprehension' | 'pattern_comprehension' | 'quantifier' | 'reduction' }>;

/** Expressions that introduce names for the expressions inside them. */
const printBinding = (writer: QueryWriter, value: Binding): void => {
  switch (value.kind) {
    case 'comprehension':
      return writer.within('[', ']', value, () => {
        printSource(writer, value);
        writer.after(' | ', value.value);
      });
    case 'pattern_comprehension':
      return writer.within('[', ']', value, () => {
        writer.rules.path(writer, value.path);
        writer.after(' WHERE ', value.where);
        writer.after(' | ', value.value);
      });
    case 'quantifier':
      return writer.within(`${value.which.toLowerCase()}(`, ')', value, () => printSource(writer, value));
    case 'reduction':
      return writer.within('reduce(', ')', value, () => {
        writer.name(value.sum);
        writer.after(' = ', value.initial);
        writer.put(', ');
        printSource(writer, { name: value.name, list: value.list, where: null });
        writer.after(' | ', value.value);
      });
  }
};

const printAll = (writer: QueryWriter, values: readonly Expression[]): void =>
  writer.joined(values, ', ', (value) => printExpression(writer, value));

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

interface Source {
  readonly name: Name;
  readonly list: Expression;
  readonly where: Expression | null;
}

const printSource = (writer: QueryWriter, { name, list, where }: Source): void => {
  writer.name(name);
  writer.after(' IN ', list);
  writer.after(' WHERE ', where);
};
