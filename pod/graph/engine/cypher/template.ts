import { LRUCache } from 'lru-cache';
import { parseStatement } from './parse-statement';
import { type Expression, type Span } from './tree';

/** Creates an expression from others, by their names in the text of a template, at a place. */
export type Template = (values: Readonly<Record<string, Expression>>, place: Span) => Expression;

/** An expression as a text with placeholders: `template('CASE WHEN a IS NOT NULL THEN a + b END')`. */
export const template = (text: string): Template => {
  const [[clause] = []] = parseStatement(`RETURN ${text}`).query.parts;
  const parsed = clause?.kind === 'return' ? clause.items[0]?.value : undefined;
  if (parsed === undefined) throw new Error(`${text} is not an expression.`);
  return (values, { start, end }) => {
    const filled = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(filled);
      if (typeof part !== 'object' || part === null) return part;
      const { kind, name, text: word } = part as { kind?: unknown; name?: unknown; text?: unknown };
      if (kind === 'variable' && typeof name === 'string' && values[name] !== undefined) return values[name];
      const named = kind === undefined && typeof word === 'string' ? values[word] : undefined;
      const made = Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, filled(inner)]));
      return {
        ...made,
        ...(named?.kind === 'variable' ? { text: named.name } : {}),
        ...('start' in part ? { start, end } : {}),
      };
    };
    // Each part is replaced by one of its own type.
    return filled(parsed) as Expression;
  };
};

/** Some texts contain values of queries. */
const known = new LRUCache<string, Template>({
  max: 500,
  maxSize: 50_000,
  sizeCalculation: (_, text) => text.length,
  memoMethod: template,
});

/** Creates an expression from an engine's text, with operands for `_1`, `_2`, … */
export const make = (text: string, place: Span, ...operands: readonly Expression[]): Expression =>
  known.memo(text)(Object.fromEntries(operands.map((operand, index) => [`_${index + 1}`, operand])), place);
