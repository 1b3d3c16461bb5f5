import { type Either, isLeft, right } from 'fp-ts/Either';
import { type DuckdbSession, readParquet, sqlName } from '../../duckdb/duckdb-session';
import { type CallFailure } from '../engine-failure';
import { type GraphProperty, type GraphSchema, nodeIdJson } from '../graph-schema';
import { type Connection, items } from './connection';
import { GRAPH_KEY, type RunningServer } from './running-server';
import { scalarJson } from './value-encoder';

const MAX_AT_ONCE = 20_000;

/** The nodes of a label have consecutive numbers. */
export interface LabelRange {
  readonly label: string;
  readonly first: number;
  readonly count: number;
}

/** Reads the JSON texts of the `_id`s of nodes by their numbers, label by label. */
export class NodeIds {
  constructor(
    private readonly schema: GraphSchema,
    private readonly ranges: readonly LabelRange[],
  ) {}

  async resolve(
    numbers: readonly number[],
    server: RunningServer,
  ): Promise<Either<CallFailure, ReadonlyMap<number, string>>> {
    const found = new Map<number, string>();
    if (numbers.length === 0) return right(found);
    const connection = await server.borrow();
    try {
      for (const { label, first, count } of this.ranges) {
        const wanted = numbers.filter((number) => number >= first && number < first + count);
        for (let at = 0; at < wanted.length; at += MAX_AT_ONCE) {
          const read = await this.read(label, wanted.slice(at, at + MAX_AT_ONCE), connection, found);
          if (isLeft(read)) return read;
        }
      }
    } finally {
      server.release(connection);
    }
    return right(found);
  }

  private async read(label: string, numbers: readonly number[], connection: Connection, found: Map<number, string>) {
    const key = this.schema.nodeTables.find((table) => table.label === label)?.primaryKey.name ?? '';
    const text = `UNWIND [${numbers.join(',')}] AS i MATCH (n) WHERE id(n) = i RETURN i, n.\`${key}\``;
    return connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, '--compact'], (row) => {
      const [number, keyCell] = items(row).map(items);
      const keyJson = scalarJson(Number(keyCell?.[0]), keyCell?.[1] ?? null);
      found.set(Number(number?.[1]), nodeIdJson(label, keyJson));
    });
  }
}

/**
 * Creates a temporary table of the keys and numbers of the nodes of a label. The numbers follow the order of the rows in
 * the files.
 */
export const numberNodes = async (
  session: DuckdbSession,
  table: string,
  { key, files, first }: { readonly key: GraphProperty; readonly files: readonly string[]; readonly first: number },
): Promise<void> => {
  await session.run('SET preserve_insertion_order = true');
  await session.run(
    `CREATE TEMP TABLE ${table} AS SELECT ${sqlName(key.name)} AS key, ` +
      `(row_number() OVER () - 1 + ${first})::UINTEGER AS number FROM ${readParquet(files)}`,
  );
  await session.run('SET preserve_insertion_order = false');
};
