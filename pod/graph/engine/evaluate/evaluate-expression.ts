import { aggregatesIn } from '../cypher/aggregates';
import {
  type Binary,
  type Call,
  type Case,
  type Comparison,
  type Comprehension,
  type Expression,
  type MapProjection,
  type Quantifier,
  type Reduction,
  type SliceAccess,
  type SubqueryExpression,
} from '../cypher/tree';
import { operandsOf } from '../cypher/walk';
import { aggregated } from './aggregates';
import { allOf, compared, equal, negated } from './comparison';
import { asTruth, type Context, type Row } from './context';
import { elementAt, hasLabels, propertyOf, sliceOf } from './element-access';
import { EvaluationFault, fail, unsupported } from './evaluation-fault';
import { functions } from './functions';
import { integer, numberOf, operated } from './operators';
import { Duration } from './temporal/duration';
import { Moment } from './temporal/moment';
import { TEMPORAL_FUNCTIONS, temporalValue } from './temporal/temporal-functions';
import { isList, isMap, kindOf, type Truth, type Value } from './values';

/** The value of an expression for a row; `group`: the rows of its aggregates. */
export const evaluateExpression = (
  expression: Expression,
  row: Row,
  context: Context,
  group: readonly Row[] | null,
): Value => new Evaluation(context, group).value(expression, row);

/** Calendars and zones are slower than numbers. */
const STEPS_OF_TEMPORAL_VALUE = 10;

class Evaluation {
  constructor(
    private readonly context: Context,
    private readonly group: readonly Row[] | null,
  ) {}

  value(expression: Expression, row: Row): Value {
    this.context.step();
    const value = this.#placed(expression, row);
    if (isList(value)) this.context.step(value.length);
    if (typeof value === 'string') this.context.step(value.length >> 3);
    return value;
  }

  /** A fault has the place of the innermost expression. */
  #placed(expression: Expression, row: Row): Value {
    try {
      return this.#computed(expression, row);
    } catch (error) {
      if (error instanceof EvaluationFault) error.offset ??= expression.start;
      throw error;
    }
  }

  #computed(expression: Expression, row: Row): Value {
    const inner = (part: Expression): Value => this.value(part, row);
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'number':
        return numberOf(expression);
      case 'parameter':
        return this.context.parameters.get(expression.name) ?? null;
      case 'variable':
        return row.get(expression.name) ?? (row.has(expression.name) ? null : fail(`no name ${expression.name}`));
      case 'list':
        return expression.items.map(inner);
      case 'map':
        return new Map(expression.entries.map(({ key, value }) => [key.text, inner(value)]));
      case 'map_projection':
        return this.#projectedMap(expression, row);
      case 'property':
        return propertyOf(inner(expression.of), expression.name.text);
      case 'index':
        return elementAt(inner(expression.of), inner(expression.at));
      case 'slice':
        return this.#sliced(expression, row);
      case 'has_labels':
        return hasLabels(inner(expression.of), expression.labels);
      case 'unary':
        return this.#unary(expression.operator, expression.of, row);
      case 'binary':
        return this.#binary(expression, row);
      case 'comparison':
        return this.#compared(expression, row);
      case 'null_test':
        return (inner(expression.of) === null) !== expression.negated;
      case 'call':
        return this.#call(expression, row);
      case 'case':
        return this.#case(expression, row);
      case 'comprehension':
        return this.#listed(expression, row);
      case 'quantifier':
        return this.#quantified(expression, row);
      case 'reduction':
        return this.#reduced(expression, row);
      case 'pattern':
      case 'pattern_comprehension':
        return this.context.pattern(expression, row, this.context);
      case 'subquery':
        return this.#subquery(expression, row);
      case 'star':
        return unsupported(expression.kind);
    }
  }

  #compared(expression: Comparison, row: Row): Value {
    const operands = operandsOf(expression).map((part) => this.value(part, row));
    const pairs = expression.rest.map(({ operator }, at) =>
      compared(operands[at] ?? null, operator, operands[at + 1] ?? null),
    );
    return allOf(pairs);
  }

  #sliced({ of, from, to }: SliceAccess, row: Row): Value {
    const bound = (part: Expression | null): Value | undefined => (part === null ? undefined : this.value(part, row));
    return sliceOf(this.value(of, row), bound(from), bound(to));
  }

  #listed(expression: Comprehension, row: Row): Value {
    const { name, where, value } = expression;
    const items = this.#items(expression.list, row);
    if (items === null) return null;
    const rows = items.map((item) => new Map(row).set(name.text, item));
    const kept = rows.filter((each) => where === null || this.#truth(where, each) === true);
    return kept.map((each) => (value === null ? (each.get(name.text) ?? null) : this.value(value, each)));
  }

  #reduced(expression: Reduction, row: Row): Value {
    const { sum, name, list, value } = expression;
    const items = this.#items(list, row);
    if (items === null) return null;
    return items.reduce<Value>(
      (total, item) => this.value(value, new Map(row).set(sum.text, total).set(name.text, item)),
      this.value(expression.initial, row),
    );
  }

  #truth(expression: Expression, row: Row): Truth {
    return asTruth(this.value(expression, row));
  }

  #items(list: Expression, row: Row): readonly Value[] | null {
    const value = this.value(list, row);
    return value === null || isList(value) ? value : fail(`the items of ${kindOf(value)}`);
  }

  #unary(operator: '-' | '+' | 'NOT', of: Expression, row: Row): Value {
    if (operator === '-' && of.kind === 'number') return numberOf(of, -1n);
    if (operator === 'NOT') return negated(this.#truth(of, row));
    const value = this.value(of, row);
    if (value === null || operator === '+') return value;
    if (typeof value === 'bigint') return integer(-value);
    return typeof value === 'number' ? -value : fail(`-${kindOf(value)}`);
  }

  /** The right side of AND and OR is not evaluated if the left side determines the result. */
  #binary({ operator, left, right }: Binary, row: Row): Value {
    if (operator !== 'AND' && operator !== 'OR' && operator !== 'XOR')
      return this.#operated(this.value(left, row), operator, this.value(right, row));
    const first = this.#truth(left, row);
    if (/^(list|map|number)$/.test(right.kind) || (right.kind === 'literal' && typeof right.value === 'string'))
      fail(`${operator} ${right.kind}`);
    if (first === (operator === 'OR') && operator !== 'XOR') return first;
    const second = this.#truth(right, row);
    if (operator === 'XOR') return first === null || second === null ? null : first !== second;
    return operator === 'AND' ? allOf([first, second]) : negated(allOf([negated(first), negated(second)]));
  }

  #operated(left: Value, operator: Binary['operator'], right: Value): Value {
    const value = operated(left, operator, right);
    if (value instanceof Moment || value instanceof Duration) this.context.step(STEPS_OF_TEMPORAL_VALUE);
    return value;
  }

  #call(call: Call, row: Row): Value {
    if (aggregatesIn(call)[0] === call) {
      return this.group === null
        ? fail(`${call.name} outside of WITH and RETURN`)
        : aggregated(call, this.group, this.context);
    }
    const name = call.name.toUpperCase();
    const apply = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (apply === undefined && !TEMPORAL_FUNCTIONS.has(name)) return unsupported(`the function ${call.name}`);
    const values = call.arguments.map((part) => this.value(part, row));
    if (apply !== undefined) return apply(...values);
    this.context.step(STEPS_OF_TEMPORAL_VALUE);
    return temporalValue(name, values, this.context.now);
  }

  #case({ subject, branches, otherwise }: Case, row: Row): Value {
    const wanted = subject === null ? null : this.value(subject, row);
    for (const { when, then } of branches) {
      const holds = subject === null ? this.#truth(when, row) : equal(wanted, this.value(when, row));
      if (holds === true) return this.value(then, row);
    }
    return otherwise === null ? null : this.value(otherwise, row);
  }

  #quantified({ which, name, list, where }: Quantifier, row: Row): Truth {
    if (where === null) return unsupported(`${which} without WHERE`);
    const items = this.#items(list, row);
    if (items === null) return null;
    const truths = items.map((item) => this.#truth(where, new Map(row).set(name.text, item)));
    if (which === 'ALL') return allOf(truths);
    const isNone = allOf(truths.map(negated));
    if (which !== 'SINGLE') return which === 'NONE' ? isNone : negated(isNone);
    const count = truths.filter((truth) => truth === true).length;
    if (count > 1) return false;
    return truths.includes(null) ? null : count === 1;
  }

  #projectedMap({ of, items }: MapProjection, row: Row): Value {
    const value = row.get(of.text) ?? null;
    if (value === null) return null;
    const all = items.some(({ kind }) => kind === 'all') ? (functions['PROPERTIES']?.(value) ?? null) : null;
    // Chosen entries replace properties, wherever the star is.
    const chosen = items.flatMap((item): readonly (readonly [string, Value])[] => {
      if (item.kind === 'all') return [];
      if (item.kind === 'entry') return [[item.entry.key.text, this.value(item.entry.value, row)]];
      const { text } = item.name;
      return [[text, item.kind === 'property' ? propertyOf(value, text) : (row.get(text) ?? null)]];
    });
    return new Map([...(isMap(all) ? all : []), ...chosen]);
  }

  #subquery({ word, query }: SubqueryExpression, row: Row): Value {
    const { rows, columns } = this.context.query(query, row, this.context);
    if (word === 'EXISTS') return rows.length > 0;
    return word === 'COUNT' ? BigInt(rows.length) : rows.map((each) => each.get(columns[0] ?? '') ?? null);
  }
}
