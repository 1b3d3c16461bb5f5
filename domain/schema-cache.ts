import { type Either, left, right } from 'fp-ts/Either';
import { unstorableCharacter } from './kernel/codecs';
import { type DomainError, domainError } from './kernel/errors';

/** A catalog with all its schemas (`schema` null) or with one of them. Lower case: engines ignore case. */
export interface AllowedPlace {
  readonly catalog: string;
  readonly schema: string | null;
}

/** The catalogs and schemas of the query engine that users may browse. */
export interface AllowList {
  readonly isUnrestricted: boolean;
  /** Sorted, each once; empty when everything is allowed. */
  readonly places: readonly AllowedPlace[];
  /** Whether anything of the catalog is allowed. */
  allowsCatalog(catalog: string): boolean;
  allowsSchema(catalog: string, schema: string): boolean;
}

const PART = /^\s*(?:"((?:[^"]|"")+)"|([^\s".,](?:[^".,]*[^\s".,])?))\s*/;

/**
 * Reads `bank, lake.raw`: a comma list of `catalog` or `catalog.schema`. A name with a dot, comma or quote is written
 * in double quotes. Null allows everything. Left: the error.
 */
export const parseAllowList = (text: string | null): Either<string, AllowList> => {
  if (text === null) return right(allowList(null));
  const places: AllowedPlace[] = [];
  let rest = text;
  for (;;) {
    const catalog = PART.exec(rest);
    if (catalog === null) return left(problem(rest));
    rest = rest.slice(catalog[0].length);
    const schema = rest.startsWith('.') ? PART.exec(rest.slice(1)) : null;
    if (rest.startsWith('.') && schema === null) return left(problem(rest));
    if (schema !== null) rest = rest.slice(1 + schema[0].length);
    places.push({ catalog: nameOf(catalog), schema: schema === null ? null : nameOf(schema) });
    if (rest === '') return right(allowList(places));
    if (!rest.startsWith(',')) return left(problem(rest));
    rest = rest.slice(1);
  }
};

const problem = (rest: string): string =>
  `must be a comma list of catalog or catalog.schema, such as bank,lake.raw; ${
    rest.trim() === '' ? 'a name is missing at the end' : `syntax error at "${rest.slice(0, 40)}"`
  }`;

const nameOf = ([, quoted, plain]: RegExpExecArray): string =>
  (quoted?.replaceAll('""', '"') ?? plain ?? '').toLowerCase();

const keyOf = ({ catalog, schema }: AllowedPlace): string => JSON.stringify([catalog, schema]);

const allowList = (given: readonly AllowedPlace[] | null): AllowList => {
  const byKey = new Map((given ?? []).map((place) => [keyOf(place), place]));
  const places = [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
  const isUnrestricted = given === null;
  return {
    isUnrestricted,
    places,
    allowsCatalog: (catalog) => isUnrestricted || places.some((place) => place.catalog === catalog.toLowerCase()),
    allowsSchema: (catalog, schema) =>
      isUnrestricted ||
      places.some(
        (place) =>
          place.catalog === catalog.toLowerCase() && (place.schema === null || place.schema === schema.toLowerCase()),
      ),
  };
};

/** Longer names may exceed the size of an index entry. */
const MAX_NAME_BYTES = 500;

/** The case-insensitive form of names and search texts for comparison. */
export const searchKey = (name: string): string => name.toLowerCase();

/** Whether the cache can store a name; other names are skipped. */
export const isCacheableName = (name: string): boolean =>
  name !== '' && unstorableCharacter(name) === null && utf8Length(name) <= MAX_NAME_BYTES;

const utf8Length = (text: string): number => encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, '_').length;

/** The error for a catalog, or a schema of it, that is not on the allow-list; null when it is allowed. */
export const refuseForbidden = (
  allowList: AllowList,
  catalog: string,
  schema?: string,
): Either<DomainError<'PERMISSION_DENIED'>, never> | null => {
  const allowed = schema === undefined ? allowList.allowsCatalog(catalog) : allowList.allowsSchema(catalog, schema);
  if (allowed) return null;
  const what = schema === undefined ? `catalog ${catalog}` : `schema ${catalog}.${schema}`;
  const message = `The ${what} is not allowed here. Ask ops to add it to ROWGRAPH_ALLOWED_CATALOGS, or choose another.`;
  return left(domainError('PERMISSION_DENIED', message, { catalog, ...(schema === undefined ? {} : { schema }) }));
};
