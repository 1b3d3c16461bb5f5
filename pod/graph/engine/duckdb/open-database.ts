import { type DatabaseCalls, type OpenMessage } from './database-calls';
import { GraphDatabase } from './graph-database';
import { RunningQueries } from './running-queries';
import { nodeTable } from './storage';
import { writeNodes } from './write-nodes';

/** Opens the database of a graph in this process. */
export const openDatabase = async ({ directory, limits, isLoaded }: OpenMessage): Promise<DatabaseCalls> => {
  if (!isLoaded) await GraphDatabase.remove(directory);
  const database = await GraphDatabase.open(directory, limits);
  if (isLoaded) await database.seal();
  const queries = new RunningQueries(database);
  return {
    load: async ({ table, statements }) => {
      for (const statement of statements) await database.run(statement);
      return database.count(`SELECT count(*) FROM ${table}`);
    },
    finishLoading: async () => {
      await database.run('CHECKPOINT graph');
      await database.seal();
    },
    applyLimits: (limits) => database.applyLimits(limits),
    answer: (query, select) => queries.answer(query, select),
    beginExport: (query, select, format) => queries.beginExport(query, select, format),
    nextOfExport: (query) => queries.nextOfExport(query),
    endExport: (query) => queries.end(query),
    explain: (query, select, analyze) => queries.explain(query, select, analyze),
    interrupt: (query) => Promise.resolve(queries.interrupt(query)),
    writeNodes: (schema, write, scratch) => writeNodes(database, schema, write, scratch),
    replaceTable: (label) => database.replaceTable(nodeTable(label)),
  };
};
