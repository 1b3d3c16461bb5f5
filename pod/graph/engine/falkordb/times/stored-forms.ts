import { type GraphProperty, type GraphSchema } from '../../graph-schema';
import { type PlacedToken } from '../../query/word-roles';
import { bindsName, itemBefore, operandAfter, type Span } from './comparisons';
import { type TimeCall } from './time-calls';
import { storedForm, type StoredForm } from './moment';

type Tokens = readonly PlacedToken[];

/** How the values an expression is made of are stored, as far as its properties tell. */
export interface ExpressionForms {
  readonly forms: ReadonlySet<StoredForm>;
  /** It names properties of the graph. */
  readonly knowsProperties: boolean;
}

/** A name a query gives to an expression: by AS, or to each element of a list. */
export interface Binding {
  readonly name: string;
  readonly expression: Span;
}

export const bindingsIn = (tokens: Tokens): readonly Binding[] =>
  tokens.flatMap(({ role, upper }, index): readonly Binding[] => {
    if (role !== 'keyword') return [];
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (upper === 'AS' && after !== undefined) return [{ name: after.text, expression: itemBefore(tokens, index) }];
    if (upper !== 'IN' || before === undefined || !bindsName(tokens, index)) return [];
    return [{ name: before.text, expression: operandAfter(tokens, index) }];
  });

/** Tells the forms of the expressions of one query; what stands in a call that makes a time has none. */
export const formsReader = (
  tokens: Tokens,
  schema: GraphSchema,
  bindings: readonly Binding[],
  calls: readonly TimeCall[],
): ((span: Span) => ExpressionForms) => {
  const tables = tablesOf(schema);
  const propertiesNamed = (name: string, labels: readonly string[]): readonly GraphProperty[] =>
    tables
      .filter((table) => labels.length === 0 || labels.includes(table.name))
      .flatMap(({ all }) => all.filter((property) => property.name === name));
  const read = ({ from, to }: Span, seen: readonly string[]): readonly GraphProperty[] =>
    tokens.slice(from, to).flatMap((token, at): readonly GraphProperty[] => {
      const index = from + at;
      if (calls.some((call) => call.span.from >= from && call.span.from <= index && index < call.span.to)) return [];
      const [before, next] = [tokens[index - 1]?.text, tokens[index + 1]?.text];
      if ((token.kind !== 'word' && token.kind !== 'quoted_name') || next === '(') return [];
      if (before === '.') return propertiesNamed(nameOf(token), labelsOf(tokens, tokens[index - 2]));
      if (next === ':') return propertiesNamed(nameOf(token), []);
      if (seen.includes(token.text)) return [];
      return bindings
        .filter(({ name }) => name === token.text)
        .flatMap(({ expression }) => read(expression, [...seen, token.text]));
    });
  return (span) => {
    const properties = read(span, []);
    return { forms: formsOfProperties(properties), knowsProperties: properties.length > 0 };
  };
};

export const formsOfSchema = (schema: GraphSchema): ReadonlySet<StoredForm> =>
  formsOfProperties(tablesOf(schema).flatMap(({ all }) => all));

const formsOfProperties = (properties: readonly GraphProperty[]): ReadonlySet<StoredForm> =>
  new Set(properties.map(storedForm).filter((form) => form !== null));

const tablesOf = ({ nodeTables, edgeTables }: GraphSchema) => [
  ...nodeTables.map(({ label, primaryKey, properties }) => ({ name: label, all: [primaryKey, ...properties] })),
  ...edgeTables.map(({ type, properties }) => ({ name: type, all: properties })),
];

/** The labels or types a variable has in a pattern: those of `(n:A)` and `-[r:A|B]-`. */
const labelsOf = (tokens: Tokens, variable: PlacedToken | undefined): readonly string[] =>
  tokens.flatMap((token, index) => {
    const isPattern = token.text === variable?.text && ['(', '['].includes(tokens[index - 1]?.text ?? '');
    if (!isPattern || tokens[index + 1]?.text !== ':') return [];
    const labels: string[] = [];
    for (let at = index + 2; [':', '|'].includes(tokens[at - 1]?.text ?? ''); at += 2) labels.push(nameOf(tokens[at]));
    return labels;
  });

const nameOf = (token: PlacedToken | undefined): string =>
  token?.kind === 'quoted_name' ? token.text.slice(1, -1) : (token?.text ?? '');
