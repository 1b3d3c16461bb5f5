import { asciiUpper } from './cypher-tokens';
import { make } from './template';
import { type Query } from './tree';
import { changeExpressions } from './walk';

/** Other names of functions that all engines have. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['UPPER', 'toUpper'],
  ['LOWER', 'toLower'],
  ['BTRIM', 'trim'],
  ['CHARACTER_LENGTH', 'char_length'],
  ['RELS', 'relationships'],
]);

/** Functions of lists, as lists of values of other functions. */
const LISTS: ReadonlyMap<string, string> = new Map(
  ['String', 'Integer', 'Float', 'Boolean'].map((type) => [
    `TO${type.toUpperCase()}LIST`,
    `[_i IN _1 | to${type}OrNull(_i)]`,
  ]),
);

/** Functions that no engine gets, because they are written by others. */
export const OTHER_FUNCTIONS = [...NAMES.keys(), ...LISTS.keys()];

export const withoutOtherFunctions = (query: Query): Query =>
  changeExpressions(query, (value) => {
    if (value.kind !== 'call') return value;
    const upper = asciiUpper(value.name);
    const list = LISTS.get(upper);
    return list === undefined
      ? { ...value, name: NAMES.get(upper) ?? value.name }
      : make(list, value, ...value.arguments);
  });
