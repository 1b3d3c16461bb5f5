import { isLeft } from 'fp-ts/Either';
import { readQuery } from './find-refusal';
import { type Dialect, DUCKDB, tokenize, TRINO } from './tokenize';

/**
 * The tables that a valid query names, in the order of the text, each name in its parts. Common tables are excluded,
 * unless a name could be both.
 */
export const namedTables = (sql: string): readonly (readonly string[])[] => tablesAs(sql, DUCKDB).tables;

/**
 * Every name that could be that of a table, as any engine reads the text. Includes common tables, since one may be out
 * of scope at the name.
 */
export const possibleTables = (sql: string): readonly (readonly string[])[] => {
  const names = [DUCKDB, TRINO].flatMap((dialect) => tablesAs(sql, dialect).relations);
  return [...new Map(names.map((path) => [JSON.stringify(path), path])).values()];
};

const tablesAs = (
  sql: string,
  dialect: Dialect,
): { readonly tables: readonly (readonly string[])[]; readonly relations: readonly (readonly string[])[] } => {
  const tokens = tokenize(sql, dialect);
  if (isLeft(tokens)) return { tables: [], relations: [] };
  const { relations, commonTables } = readQuery(tokens.right);
  const isCommon = ([name = '', ...more]: readonly string[]): boolean =>
    more.length === 0 && commonTables.has(name.toLowerCase());
  return { relations, tables: relations.filter((path) => !isCommon(path)) };
};
