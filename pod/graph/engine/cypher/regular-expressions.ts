import { QueryFault } from './query-fault';
import { type Expression, type Query } from './tree';
import { expressionsIn } from './walk';

/** Parts that engines read in different ways: classes in classes, `&&` there, `\h`, `\x{61}`, `\pL`, `(?U)` and so on. */
export const AMBIGUOUS =
  /(?:^|[^\\])(?:\\\\)*(?:\\(?:[CHNRVXhv]|x\{|[pP](?:[^{]|$|\{(?:ASCII|Al|Blank|Cntrl|[XD]?[Dd]igit|Graph|Lower|Print|Punct|Space|Upper)))|\(\?(?:[a-zA-Z]*U|P)|\[(?:[^\]\\]|\\.)*(?:\[|&&))/s;

/** Throws a `QueryFault` if an expression of a query, or of its parameters, does not mean the same everywhere. */
export const checkRegularExpressions = (query: Query, parameters: Readonly<Record<string, unknown>>): void => {
  for (const value of expressionsIn(query)) {
    if (value.kind !== 'binary' || value.operator !== '=~') continue;
    const text = constantText(value.right, parameters);
    if (text !== null && AMBIGUOUS.test(text)) throw new QueryFault(MESSAGE, value.right.start);
  }
};

const MESSAGE =
  'A regular expression has a part whose meaning differs between kinds: a class in a class, &&, \\C, \\H, \\N, \\R, \\V, \\X, \\h, \\v, \\x{…}, \\p without braces or as \\p{Alpha}, (?U) or (?P…). Write one class such as [a-z0-9], or several conditions.';

/** A text of the query or of a parameter; null for any other value. */
export const constantText = (value: Expression, parameters: Readonly<Record<string, unknown>>): string | null => {
  const constant = value.kind === 'parameter' ? parameters[value.name] : null;
  const text = value.kind === 'literal' ? value.value : constant;
  return typeof text === 'string' ? text : null;
};

export const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: 'a-zA-Z0-9_', s: String.raw` \t\n\x0B\f\r` };

/** An expression whose `\w`, `\d` and `\s` are those of openCypher, the ones of ASCII, also for an engine of Unicode. */
export const withAsciiClasses = (expression: string): string => {
  let isInClass = false;
  return expression.replaceAll(/\\Q.*?\\E|\\.|[[\]]/gs, (part) => {
    if (part === '[' || part === ']') isInClass = part === '[';
    const [, letter = ''] = part;
    const characters = part.length === 2 ? CLASSES[letter.toLowerCase()] : undefined;
    if (characters === undefined) return part;
    if (letter !== letter.toLowerCase()) return `[^${characters}]`;
    return isInClass ? characters : `[${characters}]`;
  });
};
