/** Definitions several examples speak of. */
export const PERSON = {
  label: 'Person',
  sql: 'SELECT id, name, age FROM people',
  primary_key: { name: 'id', type: 'INT64' },
  properties: [
    { name: 'name', type: 'STRING' },
    { name: 'age', type: 'INT64' },
  ],
};

export const KNOWS = {
  type: 'KNOWS',
  sql: 'SELECT a, b, since FROM friends',
  from_key: 'a',
  to_key: 'b',
  from_node: 'Person',
  to_node: 'Person',
  properties: [{ name: 'since', type: 'DATE' }],
};
