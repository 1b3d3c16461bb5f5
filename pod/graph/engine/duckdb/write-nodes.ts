import { type DuckdbLimits, openDuckdb, readParquet } from '../../duckdb/duckdb-session';
import { type NodeWrite } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type GraphDatabase, nextOf } from './graph-database';
import { duckdbType, nodeTable, propertyColumn, storedExpression } from './storage';

/**
 * Builds a table that is to replace that of a label, with the property as its last column. Returns the number of nodes
 * in the file.
 */
export const writeNodes = async (
  database: GraphDatabase,
  schema: GraphSchema,
  write: NodeWrite,
  scratch: DuckdbLimits,
): Promise<number> => {
  const at = schema.nodeTables.findIndex(({ label }) => label === write.label);
  const table = schema.nodeTables[at];
  if (table === undefined) throw new Error(`Unknown label ${write.label}.`);
  const { primaryKey, properties } = table;
  const name = nodeTable(at);
  const type = duckdbType(write.property.type);

  await database.run(`CREATE OR REPLACE TEMP TABLE written(key ${duckdbType(primaryKey.type)}, value ${type})`);
  const rows =
    `SELECT ${storedExpression('key', primaryKey.type)}, ${storedExpression('value', write.property.type)} ` +
    `FROM ${readParquet([write.parquetFile])}`;
  await copyRows(database, rows, write.parquetFile, scratch);

  const replaced = properties.findIndex((property) => property.name === write.property.name);
  const before = properties[replaced];
  const column = (index: number): string => `n.${propertyColumn(index)}`;
  const others = [0, ...properties.flatMap((_, index) => (index === replaced ? [] : [index + 1]))].map(column);
  // Nodes that are not in the file keep their value.
  const otherwise = before !== undefined && duckdbType(before.type) === type ? column(replaced + 1) : 'NULL';
  const value = `CASE WHEN w.key IS NULL THEN CAST(${otherwise} AS ${type}) ELSE w.value END`;
  const columns = [...others, value].map((each, index) => `${each} AS ${propertyColumn(index)}`);
  await database.run(
    `CREATE OR REPLACE TABLE ${nextOf(name)} AS SELECT n._id, ${columns.join(', ')} ` +
      `FROM ${name} AS n LEFT JOIN temp.written AS w ON w.key = n.p0 ORDER BY n._id`,
  );
  const written = await database.count(`SELECT count(*) FROM ${name} SEMI JOIN temp.written AS w ON w.key = p0`);
  await database.run('DROP TABLE temp.written');
  return written;
};

/** The database itself cannot read files. */
const copyRows = async (database: GraphDatabase, rows: string, file: string, scratch: DuckdbLimits): Promise<void> => {
  const session = await openDuckdb(scratch);
  const appender = await database.createAppender('written');
  try {
    for await (const chunk of session.chunks(rows, await session.count([file]))) appender.appendDataChunk(chunk);
  } finally {
    appender.closeSync();
    session.close();
  }
};
