import { type DemoMapping } from '../../../adapters/sample/bank-mapping';

/** The film catalogue as a graph. */
export const filmMapping: DemoMapping = {
  name: 'Films',
  description: 'Well-known films, who made them and who played in them',
  node_definitions: [
    {
      label: 'Film',
      sql: 'SELECT film_id, title, year FROM film.main.film',
      primary_key: { name: 'film_id', type: 'INT64' },
      properties: [
        { name: 'title', type: 'STRING' },
        { name: 'year', type: 'INT32' },
      ],
    },
    {
      label: 'Person',
      sql: 'SELECT person_id, name FROM film.main.person',
      primary_key: { name: 'person_id', type: 'INT64' },
      properties: [{ name: 'name', type: 'STRING' }],
    },
    {
      label: 'Genre',
      sql: 'SELECT name FROM film.main.genre',
      primary_key: { name: 'name', type: 'STRING' },
      properties: [],
    },
  ],
  edge_definitions: [
    {
      type: 'ACTED_IN',
      sql: 'SELECT person_id, film_id, character, billing FROM film.main.role',
      from_node: 'Person',
      to_node: 'Film',
      from_key: 'person_id',
      to_key: 'film_id',
      properties: [
        { name: 'character', type: 'STRING' },
        { name: 'billing', type: 'INT32' },
      ],
    },
    {
      type: 'DIRECTED',
      sql: 'SELECT person_id, film_id FROM film.main.direction',
      from_node: 'Person',
      to_node: 'Film',
      from_key: 'person_id',
      to_key: 'film_id',
      properties: [],
    },
    {
      type: 'HAS_GENRE',
      sql: 'SELECT film_id, genre FROM film.main.film_genre',
      from_node: 'Film',
      to_node: 'Genre',
      from_key: 'film_id',
      to_key: 'genre',
      properties: [],
    },
  ],
};
