import { shape } from '../../cypher/shape';
import { fitsLabels } from '../../cypher/steps';
import {
  type Binary,
  type Call,
  type Case,
  type Comparison,
  type Expression,
  type HasLabels,
  type NullTest,
  type Unary,
} from '../../cypher/tree';
import { operandsOf } from '../../cypher/walk';
import { byMember } from './any-value';
import { arithmetic } from './arithmetic';
import { allOf, comparison, equality, membership } from './comparison';
import { compileCondition } from './condition';
import { byTable } from './entity';
import { type Frame, isEntity } from './frame';
import { called, GRAPH_FUNCTIONS } from './functions';
import { graphFunction } from './graph-functions';
import { converted } from './json-text';
import { comprehension, element, quantifier, reduction, slice } from './list-expressions';
import { usedOnce } from './list-map';
import { numberLiteral, textLiteral } from './literal';
import { list, map, mapProjection, propertyOf } from './map-expressions';
import { pattern, patternComprehension, subquery } from './subquery-expressions';
import { BOOLEAN, INTEGER, isNumeric, NULL, simple, TEXT, typed, unify, type Value } from './type';

export const compileExpression = (value: Expression, frame: Frame): Value => {
  const column = frame.columnOf(() => shape(value));
  if (column !== undefined) return column;
  switch (value.kind) {
    case 'literal':
      if (value.value === null) return NULL;
      if (typeof value.value === 'boolean') return simple(BOOLEAN, String(value.value));
      return simple(TEXT, textLiteral(value.value));
    case 'number':
      return numberLiteral(value.text);
    case 'parameter':
      return frame.context.parameter(value);
    case 'variable':
      return frame.variable(value.name) ?? frame.context.refuse(`Unknown name ${value.name}.`, value);
    case 'list':
      return list(
        value.items.map((item) => frame.expression(item)),
        frame,
      );
    case 'map':
      return map(value.entries.map(({ key, value: item }) => [key.text, frame.expression(item)] as const));
    case 'map_projection':
      return mapProjection(value, frame);
    case 'property':
      return propertyOf(frame.expression(value.of), value.name.text, value, frame);
    case 'index':
      return element(value, frame);
    case 'slice':
      return slice(value, frame);
    case 'has_labels':
      return typed(BOOLEAN, labelTest(value, frame));
    case 'unary':
      return unary(value, frame);
    case 'binary':
      return binary(value, frame);
    case 'comparison':
      return typed(BOOLEAN, comparisons(value, frame));
    case 'null_test':
      return nullTest(value, frame);
    case 'call':
      return call(value, frame);
    case 'case':
      return caseOf(value, frame);
    case 'comprehension':
      return comprehension(value, frame);
    case 'quantifier':
      return typed(BOOLEAN, quantifier(value, frame));
    case 'reduction':
      return reduction(value, frame);
    case 'pattern':
      return pattern(value, frame);
    case 'pattern_comprehension':
      return patternComprehension(value, frame);
    case 'subquery':
      return subquery(value, frame);
    case 'star':
      return frame.context.refuse('This syntax is not openCypher.', value);
  }
};

const nullTest = ({ of, negated }: NullTest, frame: Frame): Value => {
  const { sql, type } = frame.expression(of);
  if (type.kind === 'null') return simple(BOOLEAN, String(!negated));
  return typed(BOOLEAN, `(${sql} IS ${negated ? 'NOT ' : ''}NULL)`);
};

const labelTest = ({ of, labels, ...at }: HasLabels, frame: Frame): string => {
  const entity = frame.expression(of);
  if (entity.type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  if (!isEntity(entity.type)) return frame.context.refuse('A label belongs to a node or a relationship.', at);
  const { kind, tables } = entity.type;
  return usedOnce(entity, frame, ({ sql }) =>
    byTable(sql, tables, (table) => String(fitsLabels(frame.context.tableName(kind, table), labels))),
  );
};

const unary = ({ operator, of, ...at }: Unary, frame: Frame): Value => {
  if (operator === 'NOT') return typed(BOOLEAN, `(NOT ${compileCondition(of, frame)})`);
  if (operator === '-' && of.kind === 'number') return numberLiteral(of.text, '-');
  const value = frame.expression(of);
  if (value.type.kind === 'null') return NULL;
  if (!isNumeric(value.type)) return frame.context.refuse(`${operator} needs a number.`, at);
  return operator === '+' ? value : typed(value.type.kind === 'integer' ? INTEGER : value.type, `(-${value.sql})`);
};

const binary = (value: Binary, frame: Frame): Value => {
  const { operator, left, right } = value;
  if (operator === 'AND' || operator === 'OR' || operator === 'XOR') {
    const [a, b] = [compileCondition(left, frame), compileCondition(right, frame)];
    return typed(BOOLEAN, `(${a} ${operator === 'XOR' ? '<>' : operator} ${b})`);
  }
  const [a, b] = [frame.expression(left), frame.expression(right)];
  switch (operator) {
    case 'IN':
      return typed(BOOLEAN, membership(a, b, frame, value));
    case 'STARTS WITH':
    case 'ENDS WITH':
    case 'CONTAINS':
    case '=~': {
      const texts = [a, b].map((operand) => {
        if (operand.type.kind !== 'any') return operand.type.kind === 'text' ? operand.sql : NULL.sql;
        const text = byMember(operand, [TEXT], frame, ({ sql }) => sql, NULL.sql);
        return text ?? frame.context.refuse(`${operator} needs texts; write toString(…).`, value);
      });
      return typed(BOOLEAN, `${TEXT_TESTS[operator]}(${texts.join(', ')})`);
    }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '^':
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
  const operands = operandsOf(value).map((operand) => frame.expression(operand));
  return allOf(
    value.rest.map(({ operator }, at) =>
      comparison(operands[at] ?? NULL, operator, operands[at + 1] ?? NULL, frame, value),
    ),
  );
};

const call = (value: Call, frame: Frame): Value => {
  const values = value.arguments.map((argument) => frame.expression(argument));
  return (GRAPH_FUNCTIONS.has(value.name.toUpperCase()) ? graphFunction : called)(value, values, frame);
};

const caseOf = ({ subject, branches, otherwise, ...at }: Case, frame: Frame): Value => {
  const wanted = subject === null ? null : frame.expression(subject);
  const conditionOf = (when: Expression, value: Value | null): string =>
    value === null ? compileCondition(when, frame) : equality(value, frame.expression(when), frame, at);
  const results = branches.map(({ then }) => frame.expression(then));
  const last = otherwise === null ? NULL : frame.expression(otherwise);
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
