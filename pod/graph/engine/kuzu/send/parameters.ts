import { chain, type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../../query/analyse-query';
import { isText, type Literal, literalWriter, parameterLiterals } from '../../query/literal';
import { alignedMaps } from './aligned-maps';
import { boundValue, castOfList, isRounded, numberText, type EngineValue } from './bound-value';
import { refused, type StatementFailure } from '../binding/kuzu-error';
import { quoteString } from '../binding/kuzu-type';
import { type TextEdit } from '../../query/text-edits';
import { itemsOf, MAX_WRITTEN_ITEMS, type WrittenItems } from './written-items';

/** Values beside the text, by the names of their parameters. */
export type EngineParameters = Readonly<Record<string, EngineValue>>;

/** How the parameters of a query go to the engine. */
export interface SentParameters {
  readonly edits: readonly TextEdit[];
  readonly beside: EngineParameters;
  /** The text has, or may have, a number that is no whole one because of them. */
  readonly addFractions: boolean;
}

/**
 * Each parameter goes beside the text where the binding carries its value unchanged, and is written into the text where
 * it does not. `writeAll`: the engine cannot compile the text without the values. Refuses what is missing, what cannot be
 * written, and what is too much to be written.
 */
export const sentParameters = (
  { tokens, parameters: names }: AnalysedQuery,
  inText: WrittenItems,
  parameters: Readonly<Record<string, unknown>>,
  writeAll: boolean,
): Either<StatementFailure, SentParameters> => {
  const beside = new Map<string, EngineValue>();
  for (const name of names) {
    const value = writeAll || !Object.hasOwn(parameters, name) ? null : boundValue(parameters[name]);
    if (value !== null) beside.set(name, value);
  }
  const written = names.filter((name) => !beside.has(name));
  const literals = parameterLiterals(written, parameters, literalOf);
  if (isLeft(literals)) return left(refused(literals.left));
  const places = tokens.filter(({ kind, text }) => kind === 'parameter' && literals.right.has(nameOf(text)));
  const items = places.map(({ text }) => writtenItemsOf(parameters[nameOf(text)]));
  if (items.reduce((sum, count) => sum + count, inText.count) > MAX_WRITTEN_ITEMS) {
    return left(refused(tooLong(nameOf(places[items.indexOf(Math.max(...items))]?.text ?? ''))));
  }
  const edits = places.map(({ text, start, end }) => ({ start, end, words: literals.right.get(nameOf(text)) ?? text }));
  return right({
    edits,
    beside: Object.fromEntries(beside),
    addFractions: edits.some(({ words }) => FRACTION.test(words)),
  });
};

/** A number in a literal that is, or may be, no whole one; also found inside strings. */
const FRACTION = /\d[.e]|DOUBLE/;

/** The engine does not quote the names of fields where it tells the type of a map. */
const FIELD_NAME = /^[^\s(),[\]]+( [^\s(),[\]]+)*$/;

const nameOf = (parameter: string): string => parameter.slice(1);

const tooLong = (name: string): string =>
  `Parameter ${name}: its items would have to be written into the query, which takes ${MAX_WRITTEN_ITEMS} items of lists ` +
  'and maps in all. Of a flat list of numbers, of booleans, or of texts of which the first is not null, any number can be ' +
  'sent; for items of texts that an aggregate takes, write CAST(item AS STRING).';

const literalOf = (value: unknown): Literal => {
  const cast = Array.isArray(value) ? castOfList(value) : null;
  return cast === null ? chain(cypherLiteral)(alignedMaps(value)) : right(cast);
};

const writtenItemsOf = (value: unknown): number =>
  Array.isArray(value) && castOfList(value) !== null ? 0 : itemsOf(value);

const number = (value: number): Literal => {
  if (!Number.isFinite(value)) return left('only finite numbers can be sent.');
  if (isRounded(value)) {
    return left(
      'JSON readers round integers beyond 2^53; send it as a string and write CAST($name AS INT64) in the query.',
    );
  }
  const text = numberText(value);
  return right(text.startsWith('-') ? `(${text})` : text);
};

const cypherLiteral = literalWriter({
  constant: (value) => String(value).toUpperCase(),
  quote: quoteString,
  number,
  entry: (key, literal) =>
    isText(key) && FIELD_NAME.test(key)
      ? right(`${quoteString(key)}: ${literal}`)
      : left(`the engine has no map key ${JSON.stringify(key)}.`),
  emptyObject: left('the engine has no empty object; leave the field out.'),
});
