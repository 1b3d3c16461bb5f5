import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { mapRight } from '../../domain/kernel/either';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { sqlName, sqlString } from '../duckdb/sql-text';
import { type TrinoClient } from './trino-client';

const Names = t.readonlyArray(t.tuple([t.string]));
const PREFIX = 'rowgraph_';
const DROP_MS = 60_000;

/**
 * The tables that exports write: one per attempt, dropped without its files when its query has ended. A name is
 * `rowgraph_<begin in ms, base 36>_<hash of the destination>`, so that leftover tables can be found by destination and
 * age.
 */
export class ExportTables {
  #connector: string | null = null;
  /** Names by destination of the tables that this process has created. */
  readonly #begun = new Map<string, string>();

  constructor(
    private readonly client: TrinoClient,
    private readonly place: { readonly catalog: string; readonly schema: string },
  ) {}

  /** `hive` or `iceberg`. */
  async connector(): Promise<Either<QueryEngineError, string>> {
    if (this.#connector !== null) return right(this.#connector);
    const { catalog } = this.place;
    const where = `catalog_name = ${sqlString(catalog)}`;
    const rows = await this.#names(`SELECT connector_name FROM system.metadata.catalogs WHERE ${where}`);
    if (isLeft(rows)) return rows;
    const [name] = rows.right;
    if (name === 'hive' || name === 'iceberg') return right((this.#connector = name));
    const message = `the catalog ${catalog} of ROWGRAPH_TRINO_EXPORT_SCHEMA is ${name ?? 'missing'}; exports need a catalog of the connector hive or iceberg`;
    return left({ kind: 'query_failed', message, canRetry: false });
  }

  /** The statement that writes a query's rows below a URL. */
  create(connector: string, url: string, query: string): string {
    const name = `${PREFIX}${Date.now().toString(36)}_${hashOf(url)}`;
    this.#begun.set(url, name);
    const location = connector === 'iceberg' ? 'location' : 'external_location';
    return `CREATE TABLE ${this.#table(name)}
      WITH (${location} = ${sqlString(url.replace(/\/$/, ''))}, format = 'PARQUET') AS ${query}`;
  }

  /** Drops the table of a destination if it exists. After a failure `dropOlder` drops it. */
  async drop(url: string): Promise<void> {
    const begun = this.#begun.get(url);
    this.#begun.delete(url);
    const names = begun === undefined ? await this.#list(`${PREFIX}%_${hashOf(url)}`) : right([begun]);
    if (!isLeft(names)) for (const name of names.right) await this.#dropTable(name);
  }

  /** Drops the tables created before a time; returns their number. */
  async dropOlder(before: Date): Promise<Either<QueryEngineError, number>> {
    const names = await this.#list(`${PREFIX}%`);
    if (isLeft(names)) return names;
    const old = names.right.filter((name) => beganAt(name) < before.getTime());
    for (const name of old) {
      const dropped = await this.#dropTable(name);
      if (isLeft(dropped)) return dropped;
    }
    return right(old.length);
  }

  async #dropTable(name: string): Promise<Either<QueryEngineError, unknown>> {
    const connector = await this.connector();
    if (isLeft(connector)) return connector;
    const { catalog, schema } = this.place;
    // DROP TABLE keeps the files of an external table of Hive, but not those of Iceberg.
    const statement =
      connector.right === 'hive'
        ? `DROP TABLE IF EXISTS ${this.#table(name)}`
        : `CALL ${sqlName(catalog)}.system.unregister_table(${sqlString(schema)}, ${sqlString(name)})`;
    return this.client.run(statement, {}, AbortSignal.timeout(DROP_MS));
  }

  #list(pattern: string): Promise<Either<QueryEngineError, readonly string[]>> {
    const { catalog, schema } = this.place;
    const like = sqlString(pattern.replaceAll('_', '\\_'));
    return this.#names(`SHOW TABLES FROM ${sqlName(catalog)}.${sqlName(schema)} LIKE ${like} ESCAPE '\\'`);
  }

  async #names(sql: string): Promise<Either<QueryEngineError, readonly string[]>> {
    return mapRight(await this.client.rows(Names, sql), (rows) => rows.map(([name]) => name));
  }

  #table(name: string): string {
    return [this.place.catalog, this.place.schema, name].map(sqlName).join('.');
  }
}

/** Infinity for a table that no export made. */
const beganAt = (name: string): number => {
  const match = /^rowgraph_([0-9a-z]+)_[0-9a-f]{16}$/.exec(name);
  return match === null ? Infinity : parseInt(match[1] ?? '', 36);
};

const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);
