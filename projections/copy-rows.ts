import { type ClientBase, type Connection, Query } from 'pg';

/** A value of a column whose type is neither an array nor JSON. */
export type ColumnValue = string | number | boolean | Date | null;

/** A row in the text format of COPY. Texts of events do not contain U+0000 or half a surrogate pair. */
export const copyLine = (values: readonly ColumnValue[]): string => `${values.map(copyField).join('\t')}\n`;

const copyField = (value: ColumnValue): string => {
  if (value === null) return '\\N';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return SPECIAL.test(text) ? text.replaceAll(EACH_SPECIAL, (character) => ESCAPED[character] ?? '') : text;
};
const SPECIAL = /[\\\t\n\r]/;
const EACH_SPECIAL = new RegExp(SPECIAL, 'g');
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * Inserts lines of COPY into the columns of a table. PostgreSQL reads them in a third of the time of JSON. They are sent
 * with the statement, so that it works in a pipeline: the server ignores them if the statement fails.
 */
export const copyRows = (client: Pick<ClientBase, 'query'>, target: string, lines: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = new Query({ text: `COPY ${target} FROM STDIN` }, (error) => (error ? reject(error) : resolve()));
    client.query(
      Object.assign(query, {
        submit: (connection: Connection) => {
          Query.prototype.submit.call(query, connection);
          connection.stream.write(copyData(lines));
        },
        // The lines are sent already.
        handleCopyInResponse: () => undefined,
      }),
    );
  });

/** The messages CopyData and CopyDone of the protocol of PostgreSQL. */
const copyData = (lines: string): Buffer => {
  const size = Buffer.byteLength(lines);
  const message = Buffer.allocUnsafe(size + 10);
  message.write('d', 0);
  message.writeInt32BE(size + 4, 1);
  message.write(lines, 5);
  message.write('c', size + 5);
  message.writeInt32BE(4, size + 6);
  return message;
};
