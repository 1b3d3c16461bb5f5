import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { BANK_STATEMENTS } from './bank-tables';
import { sqlString } from '../duckdb/sql-text';
import FILM_CATALOGUE from './films.json';

/**
 * Writes the demo databases `bank.duckdb` (an invented bank with 20,000 customers, 30,000 accounts and 300,000
 * transfers) and `film.duckdb` into a folder, the same on every machine. Each file appears when it is complete and
 * replaces an older one. Rejects when the folder cannot be written to.
 */
export const buildDemoWarehouse = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await buildDatabase(join(directory, 'bank.duckdb'), BANK_STATEMENTS);
  await buildDatabase(join(directory, 'film.duckdb'), FILM_STATEMENTS);
};

/** Writes `bank.duckdb` alone, unless it is there. */
export const addBankDatabase = async (directory: string): Promise<void> => {
  const path = join(directory, 'bank.duckdb');
  if (!existsSync(path)) await buildDatabase(path, BANK_STATEMENTS);
};

const buildDatabase = async (path: string, statements: readonly string[]): Promise<void> => {
  const unfinished = `${path}.unfinished-${process.pid}`;
  await rm(unfinished, { force: true });
  const instance = await DuckDBInstance.create(unfinished);
  try {
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
  await rename(unfinished, path);
};

const table = (name: string, columns: string, rows: readonly (readonly (string | number)[])[]): readonly string[] => {
  const values = rows.map(
    (row) => `(${row.map((value) => (typeof value === 'string' ? sqlString(value) : value)).join(', ')})`,
  );
  return [`CREATE TABLE ${name} (${columns})`, `INSERT INTO ${name} VALUES ${values.join(', ')}`];
};

const people = [
  ...new Set(FILM_CATALOGUE.flatMap((film) => [...film.directors, ...film.cast.map(({ actor }) => actor)])),
].sort();
const personId = new Map(people.map((name, index) => [name, index + 1]));
const idOf = (name: string): number => personId.get(name) ?? 0;
const films = FILM_CATALOGUE.map((film, index) => ({ ...film, id: index + 1 }));
const genres = [...new Set(films.flatMap((film) => film.genres))].sort();

/** The statements that fill an empty database with the film catalogue. */
const FILM_STATEMENTS: readonly string[] = [
  ...table(
    'film',
    'film_id BIGINT, title VARCHAR, year INTEGER',
    films.map(({ id, title, year }) => [id, title, year]),
  ),
  ...table(
    'person',
    'person_id BIGINT, name VARCHAR',
    people.map((name) => [idOf(name), name]),
  ),
  ...table(
    'genre',
    'name VARCHAR',
    genres.map((name) => [name]),
  ),
  ...table(
    'film_genre',
    'film_id BIGINT, genre VARCHAR',
    films.flatMap(({ id, genres: names }) => names.map((name) => [id, name])),
  ),
  ...table(
    'direction',
    'person_id BIGINT, film_id BIGINT',
    films.flatMap(({ id, directors }) => directors.map((name) => [idOf(name), id])),
  ),
  ...table(
    'role',
    'person_id BIGINT, film_id BIGINT, character VARCHAR, billing INTEGER',
    films.flatMap(({ id, cast }) => cast.map(({ actor, character }, index) => [idOf(actor), id, character, index + 1])),
  ),
];
