import { sqlString } from '../duckdb/sql-text';
import FILM_CATALOGUE from './films.json';

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
export const FILM_STATEMENTS: readonly string[] = [
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
