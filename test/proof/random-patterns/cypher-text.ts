import {
  type Condition,
  type Match,
  type NodePattern,
  type Part,
  type PathPattern,
  type PatternQuery,
  type StepPattern,
  type Value,
} from './pattern-query';

/** The query in the Cypher both engines read. */
export const cypherText = ({ branches, unionAll }: PatternQuery): string =>
  branches.map((parts) => parts.map(partText).join(' ')).join(unionAll ? ' UNION ALL ' : ' UNION ');

const partText = ({ matches, projection }: Part, index: number, parts: readonly Part[]): string => {
  const isLast = index === parts.length - 1;
  const items = projection.items.map(({ value, alias }) =>
    !isLast && value.kind === 'node' ? alias : `${valueText(value)} AS ${alias}`,
  );
  const order =
    projection.limit === null
      ? ''
      : ` ORDER BY ${projection.items.map(({ alias }) => alias).join(', ')} LIMIT ${projection.limit}`;
  const word = `${isLast ? 'RETURN' : 'WITH'} ${projection.distinct ? 'DISTINCT ' : ''}`;
  return [...matches.map(matchText), `${word}${items.join(', ')}${order}`].join(' ');
};

const matchText = ({ optional, paths, conditions, joinedBy }: Match): string => {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(conditionText).join(` ${joinedBy} `)}`;
  return `${optional ? 'OPTIONAL ' : ''}MATCH ${paths.map(pathText).join(', ')}${where}`;
};

const written = (name: string): string => (name.startsWith('_') ? '' : name);

const pathText = ({ name, from, steps }: PathPattern): string =>
  `${written(name) === '' ? '' : `${name} = `}${nodeText(from)}${steps.map((step) => stepText(step, false)).join('')}`;

const nodeText = ({ name, label, id }: NodePattern): string =>
  `(${written(name)}${label === null ? '' : `:${label}`}${id === null ? '' : ` {id: ${id}}`})`;

/** `isCondition`: steps have brackets there. */
const stepText = ({ name, types, direction, length, weight, to }: StepPattern, isCondition: boolean): string => {
  const detail = [
    written(name),
    types.length === 0 ? '' : `:${types.join('|')}`,
    length === null ? '' : `*${length[0]}..${length[1]}`,
    weight === null ? '' : ` {w: ${weight}}`,
  ].join('');
  const brackets = detail === '' && !isCondition ? '' : `[${detail}]`;
  return `${direction === 'in' ? '<-' : '-'}${brackets}${direction === 'out' ? '->' : '-'}${nodeText(to)}`;
};

const conditionText = (condition: Condition): string => {
  if (condition.kind === 'pattern') {
    return `${condition.negated ? 'NOT ' : ''}(${condition.from})${stepText(condition.step, true)}`;
  }
  const { left, operator, right } = condition;
  return `${left}.id ${operator} ${typeof right === 'number' ? right : `${right}.id`}`;
};

const valueText = (value: Value): string => {
  switch (value.kind) {
    case 'node':
      return `${value.name}.id`;
    case 'weight':
      return `${value.name}.w`;
    case 'scalar':
      return value.name;
    case 'length':
      return `length(${value.name})`;
    case 'count(*)':
      return 'count(*)';
    case 'aggregate': {
      const text = `${value.function}(${value.distinct ? 'DISTINCT ' : ''}${valueText(value.of)})`;
      // The sum of no rows is null in one engine and 0 in the other.
      return value.function === 'sum' ? `coalesce(${text}, 0)` : text;
    }
  }
};
