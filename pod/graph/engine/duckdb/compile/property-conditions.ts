import { conditionsOf } from '../../cypher/build';
import { namesOfPaths } from '../../cypher/steps';
import { type Expression, type NodePattern, type PathPattern, type StepPattern } from '../../cypher/tree';
import { equalOperands, expressionsIn } from '../../cypher/walk';
import { equality, filteringEquality } from './comparison';
import { compileCondition } from './condition';
import { type Frame, type Variable } from './frame';
import { propertyOf } from './map-expressions';
import { type NodePart } from './pattern-parts';
import { type Value } from './type';

/** `{name: value}` inside a pattern. */
export const propertyConditions = (
  entity: Variable,
  { properties }: NodePattern | StepPattern,
  frame: Frame,
): readonly string[] => {
  if (properties === null) return [];
  if (properties.kind === 'map')
    return properties.entries.map(({ key, value }) =>
      filteringEquality(propertyOf(entity, key.text, value, frame), frame.expression(value), frame, value),
    );
  const map = frame.expression(properties);
  if (map.type.kind !== 'map')
    return frame.context.refuse('Properties in a pattern are a map: {name: value}.', properties);
  return map.type.fields.map(({ name }) =>
    equality(propertyOf(entity, name, properties, frame), propertyOf(map, name, properties, frame), frame, properties),
  );
};

/** Whether an equality or a list selects few nodes. */
export const isSelective = ({ patterns, names }: NodePart, where: Expression | null): boolean => {
  if (patterns.some(({ properties }) => properties !== null)) return true;
  const isOf = (value: Expression): boolean =>
    value.kind === 'property' && value.of.kind === 'variable' && names.has(value.of.name);
  return [...conditionsOf(where), ...patterns.flatMap((pattern) => conditionsOf(pattern.where))].some((condition) => {
    if (condition.kind === 'binary') return condition.operator === 'IN' && isOf(condition.left);
    return equalOperands(condition).some(isOf);
  });
};

/** The conditions that each relationship of a walk has to meet, in a frame that reads it. */
export type StepConditions = (relationship: Value, frame: Frame) => readonly string[];

/** The conditions of the relationships of a step of variable length; null: none. */
export const stepConditions = (
  pattern: StepPattern,
  paths: readonly PathPattern[],
  where: Expression | null,
): StepConditions | null => {
  const all = conditionsOfAll(pattern, paths, where);
  if (all.length === 0 && pattern.properties === null) return null;
  return (relationship, frame) => [
    ...propertyConditions(relationship, pattern, frame),
    ...all.map(({ name, where: each }) => {
      frame.variables = new Map([...frame.variables, [name, relationship]]);
      return compileCondition(each, frame);
    }),
  ];
};

/** `all(r IN relationships(p) WHERE …)` of a path with this step, without the names of the MATCH. */
export const conditionsOfAll = (
  pattern: StepPattern,
  paths: readonly PathPattern[],
  where: Expression | null,
): readonly { readonly condition: Expression; readonly name: string; readonly where: Expression }[] => {
  const path = paths.find(({ steps }) => steps.includes(pattern));
  const names = new Set(namesOfPaths(paths));
  return conditionsOf(where).flatMap((condition) => {
    if (condition.kind !== 'quantifier' || condition.which !== 'ALL' || condition.where === null) return [];
    const { list, name, where: each } = condition;
    const isPath =
      list.kind === 'call' &&
      /^rel(ationship)?s$/i.test(list.name) &&
      list.arguments.some((value) => value.kind === 'variable' && value.name === path?.name?.text);
    const isStep = list.kind === 'variable' && list.name === pattern.name?.text;
    const usesNames = expressionsIn(each).some(
      (value) =>
        (value.kind === 'variable' && names.has(value.name)) ||
        value.kind === 'subquery' ||
        value.kind.startsWith('pattern'),
    );
    return (isPath || isStep) && !usesNames ? [{ condition, name: name.text, where: each }] : [];
  });
};

/** Whether the evaluation of a condition can end in an error. */
export const mayFail = (condition: Expression): boolean =>
  expressionsIn(condition).some(
    (value) => value.kind === 'binary' && (value.operator === '/' || value.operator === '%'),
  );
