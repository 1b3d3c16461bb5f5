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
  calls: ReadonlyMap<number, TimeCall>,
): ((span: Span) => ExpressionForms) => {
  const tables = tablesOf(schema);
  const labels = labelsOf(tokens);
  const named = new Map<string, ReadonlySet<GraphProperty>>();
  const propertiesNamed = (name: string, of: readonly string[]): readonly GraphProperty[] =>
    tables
      .filter((table) => of.length === 0 || of.includes(table.name))
      .flatMap(({ all }) => all.filter((property) => property.name === name));
  const propertiesAt = (index: number): Iterable<GraphProperty> => {
    const [token, before, next] = [tokens[index], tokens[index - 1]?.text, tokens[index + 1]?.text];
    if ((token?.kind !== 'word' && token?.kind !== 'quoted_name') || next === '(') return [];
    if (before === '.') return propertiesNamed(nameOf(token), labels.get(tokens[index - 2]?.text ?? '') ?? []);
    return next === ':' ? propertiesNamed(nameOf(token), []) : (named.get(token.text) ?? []);
  };
  const read = ({ from, to }: Span): ReadonlySet<GraphProperty> => {
    const found = new Set<GraphProperty>();
    for (let index = from; index < to; index++) {
      const end = calls.get(index)?.span.to ?? Infinity;
      if (end <= to) index = end - 1;
      else for (const property of propertiesAt(index)) found.add(property);
    }
    return found;
  };
  for (const { name, expression } of bindings)
    named.set(name, new Set([...(named.get(name) ?? []), ...read(expression)]));
  return (span) => {
    const properties = [...read(span)];
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

/** The labels or types variables have in patterns: those of `(n:A)` and `-[r:A|B]-`. */
const labelsOf = (tokens: Tokens): ReadonlyMap<string, readonly string[]> => {
  const labels = new Map<string, string[]>();
  for (const [index, { text }] of tokens.entries()) {
    if ((text !== '(' && text !== '[') || tokens[index + 2]?.text !== ':') continue;
    const variable = tokens[index + 1]?.text ?? '';
    const known = labels.get(variable) ?? [];
    for (let at = index + 3; [':', '|'].includes(tokens[at - 1]?.text ?? ''); at += 2) known.push(nameOf(tokens[at]));
    labels.set(variable, known);
  }
  return labels;
};

const nameOf = (token: PlacedToken | undefined): string =>
  token?.kind === 'quoted_name' ? token.text.slice(1, -1) : (token?.text ?? '');
