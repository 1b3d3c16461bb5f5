import { isLeft } from 'fp-ts/Either';
import { type Connection } from './connection';
import { items, textOf } from './resp';
import { GRAPH_KEY } from './server-process';
import { type Names } from './value-encoder';

/** Reads the names answers refer to by number. Throws when the server does not answer. */
export const readNames = async (connection: Connection): Promise<Names> => ({
  labels: await column(connection, 'CALL db.labels()'),
  types: await column(connection, 'CALL db.relationshipTypes()'),
  properties: await column(connection, 'CALL db.propertyKeys()'),
});

/** The texts of the first column of an answer, in order. */
const column = async (connection: Connection, text: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const reply = await connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, '--compact'], (row) => {
    names.push(textOf(items(items(row)[0])[1]));
  });
  if (isLeft(reply)) throw new Error(reply.left.reason);
  return names;
};
