import { type Either, isLeft, left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parse, stringify } from 'yaml';
import { type CsvLayout } from './csv-layout';

/** What `<table>.csv.yaml` fixes of the file beside it; the rest is decided over the file. */
export const CsvDescription = t.readonly(
  t.partial({
    delimiter: t.string,
    /** `none`: quotes are part of the values. */
    quote: t.string,
    header: t.boolean,
    null: t.string,
    types: t.record(t.string, t.string),
  }),
);
export type CsvDescription = t.TypeOf<typeof CsvDescription>;

const KEYS = ['delimiter', 'quote', 'header', 'null', 'types'];

const TYPES =
  'boolean, tinyint, smallint, integer, bigint, hugeint, double, decimal(10,2), date, time, timestamp, timestamp_ns, timestamptz, uuid, varchar';

const isType = (type: string): boolean =>
  /^decimal\(\d+, ?\d+\)$/i.test(type) || TYPES.split(', ').includes(type.toLowerCase());

/** Reads a description. Left: what is wrong in it. */
export const parseDescription = (yaml: string): Either<string, CsvDescription> => {
  const decoded = CsvDescription.decode(parsed(yaml));
  const expected = 'expected delimiter, quote, header (true or false), null, and types by column, such as id: bigint';
  if (isLeft(decoded)) return left(expected);
  const { delimiter = ',', quote = '"', types = {}, ...others } = decoded.right;
  const unknown = Object.keys(others).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return left(`unknown key ${unknown}; ${expected}`);
  if (!/^[^\r\n"]{1,4}$/.test(delimiter)) return left('delimiter: expected one to four characters');
  if (quote !== 'none' && !/^[^\r\n]$/.test(quote)) return left('quote: expected one character, or none');
  const wrong = Object.entries(types).find(([, type]) => !isType(type));
  return wrong === undefined
    ? decoded
    : left(`types: ${wrong[0]} has the unknown type ${wrong[1]}; expected one of ${TYPES}`);
};

const parsed = (yaml: string): unknown => {
  try {
    return (parse(yaml) as unknown) ?? {};
  } catch {
    return null;
  }
};

/** The description that fixes all of a layout. */
export const printDescription = ({ dialect, columns }: CsvLayout): string =>
  stringify({
    ...(dialect.delimiter === '' ? {} : { delimiter: dialect.delimiter }),
    quote: dialect.quote === '' ? 'none' : dialect.quote,
    header: dialect.hasHeader,
    null: dialect.nullText,
    types: Object.fromEntries(columns.map(({ name, type }) => [name, type.toLowerCase()])),
  } satisfies CsvDescription);
