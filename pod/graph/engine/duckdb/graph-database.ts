import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { sqlString } from '../../duckdb/duckdb-session';
import { type GraphLimits } from './database-calls';
import { GraphConnection } from './graph-connection';

/** Smaller groups make lookups and joins of few rows faster, until each group costs more than its rows. */
const ROW_GROUP_SIZE = 32_768;

/**
 * Optimizers of DuckDB 1.5.6 with defects. The first loses the order of nulls where a correlated subquery has ORDER BY
 * and LIMIT 1; the others lose columns that a condition on several tables reads, and end the process: the second below
 * groups, as in `(a)-[*3]->(a) RETURN a.name, count(*)`, the third in patterns of several parts. Loading sorts faster
 * with the second.
 */
const WRONG_OPTIMIZERS = ['top_n_window_elimination', 'compressed_materialization', 'column_lifetime'];

/** The file of a graph, opened by DuckDB. */
export class GraphDatabase {
  private readonly idle: GraphConnection[] = [];

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly main: DuckDBConnection,
  ) {}

  static async open(directory: string, limits: GraphLimits): Promise<GraphDatabase> {
    const spill = join(directory, 'spill');
    // A process that was ended left its files.
    await rm(spill, { recursive: true, force: true });
    await mkdir(spill, { recursive: true });
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(limits.threads),
      memory_limit: inMebibytes(limits.memoryBytes),
      temp_directory: spill,
      max_temp_directory_size: inMebibytes(limits.spillBytes),
      preserve_insertion_order: 'true',
      autoload_known_extensions: 'false',
      autoinstall_known_extensions: 'false',
    });
    const main = await instance.connect();
    await main.run("SET GLOBAL TimeZone = 'UTC'");
    await main.run(`ATTACH ${sqlString(fileIn(directory))} AS graph (ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`);
    await main.run('USE graph');
    return new GraphDatabase(instance, main);
  }

  /** Removes the files of an earlier run. */
  static async remove(directory: string): Promise<void> {
    for (const file of [fileIn(directory), `${fileIn(directory)}.wal`, join(directory, 'spill')]) {
      await rm(file, { recursive: true, force: true });
    }
  }

  /** From now on statements cannot reach files, load extensions or change settings but the limits. */
  async seal(): Promise<void> {
    await this.run(`SET GLOBAL disabled_optimizers = '${WRONG_OPTIMIZERS.join()}'`);
    await this.run("SET allowed_configs = ['memory_limit', 'threads']");
    await this.run('SET enable_external_access = false');
    await this.run('SET lock_configuration = true');
  }

  /** Runs a statement that is not a query of a user. */
  async run(sql: string): Promise<void> {
    await this.main.run(sql);
  }

  /** Replaces a table by the one named like it with `_next`, unless that was done. */
  async replaceTable(table: string): Promise<void> {
    const next = nextOf(table);
    if ((await this.count(`SELECT count(*) FROM duckdb_tables() WHERE table_name = ${sqlString(next)}`)) === 0) return;
    await this.run('BEGIN TRANSACTION');
    try {
      await this.run(`DROP TABLE ${table}`);
      await this.run(`ALTER TABLE ${next} RENAME TO ${table}`);
      await this.run('COMMIT');
    } catch (error) {
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
    // Written values are safe in the log; a running query may prevent that they leave it.
    await this.run('CHECKPOINT graph').catch(() => undefined);
  }

  async count(sql: string): Promise<number> {
    const rows = await (await this.main.run(sql)).getRowsJS();
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Fills a table of the main connection. */
  createAppender(table: string): ReturnType<DuckDBConnection['createAppender']> {
    return this.main.createAppender(table, 'main', 'temp');
  }

  /** Memory and threads; running queries keep their threads. */
  async applyLimits({ memoryBytes, threads }: GraphLimits): Promise<void> {
    await this.run(`SET memory_limit = ${sqlString(inMebibytes(memoryBytes))}`);
    await this.run(`SET threads = ${threads}`);
  }

  /** A connection for one query. `giveBack` must follow. */
  async take(): Promise<GraphConnection> {
    const idle = this.idle.pop();
    if (idle !== undefined) return idle;
    const connection = await this.instance.connect();
    await connection.run('USE graph');
    return new GraphConnection(connection);
  }

  async giveBack(connection: GraphConnection): Promise<void> {
    await connection.rest();
    this.idle.push(connection);
  }
}

/** The table that replaces another one. */
export const nextOf = (table: string): string => `${table}_next`;

const fileIn = (directory: string): string => join(directory, 'graph.duckdb');

const inMebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}MiB`;
