import { type Either, left, right } from 'fp-ts/Either';
import {
  type EngineColumn,
  type EngineInspector,
  type EngineTable,
  type QueryEngineError,
  type ReadTable,
} from '../../domain/ports/query-engine';
import { possibleTables } from '../../domain/sql/named-tables';

type Tables = Readonly<Record<string, readonly string[]>>;

/** A query engine in memory, whose parts can fail on request. Pages have two tables. */
export class EngineStandIn implements EngineInspector {
  /** Catalog to schema to table to its columns, all of them `varchar`. */
  content: Record<string, Readonly<Record<string, Tables>>> = {};
  /** Errors by call: `listCatalogs`, `bank` (its schemas), `bank.main` (its tables), `describe` …. */
  readonly failures = new Map<string, QueryEngineError>();
  /** Why a catalog cannot be read in full. */
  readonly problems = new Map<string, string>();
  /** The files of a catalog that are not tables. */
  readonly skipped = new Map<string, string>();
  columns: readonly EngineColumn[] = [];
  readonly calls: string[] = [];
  /** Awaited before each answer. */
  gate: Promise<void> = Promise.resolve();

  describe(sql: string): Promise<Either<QueryEngineError, readonly EngineColumn[]>> {
    return this.answer('describe', () => (sql === '' ? [] : this.columns));
  }

  tablesOf(sql: string): Promise<Either<QueryEngineError, readonly ReadTable[]>> {
    return this.answer('tablesOf', () =>
      possibleTables(sql).flatMap((path): readonly ReadTable[] => {
        const [catalog = '', schema = '', name] = path;
        return name === undefined ? [] : [{ catalog, schema, path }];
      }),
    );
  }

  ping(): Promise<Either<QueryEngineError, void>> {
    return this.answer('ping', () => undefined);
  }

  refresh(): Promise<Either<QueryEngineError, void>> {
    return this.answer('refresh', () => undefined);
  }

  listCatalogs(): ReturnType<EngineInspector['listCatalogs']> {
    return this.answer('listCatalogs', () =>
      Object.keys(this.content).map((name) => ({
        name,
        problem: this.problems.get(name) ?? null,
        skipped: this.skipped.get(name) ?? null,
      })),
    );
  }

  listSchemas(catalog: string): Promise<Either<QueryEngineError, readonly string[]>> {
    return this.answer(catalog, () => Object.keys(this.content[catalog] ?? {}));
  }

  sampleRows(path: readonly [string, string, string]): ReturnType<EngineInspector['sampleRows']> {
    return this.answer(path.join('.'), () => []);
  }

  listTables(catalog: string, schema: string, after: string | null): ReturnType<EngineInspector['listTables']> {
    return this.answer(`${catalog}.${schema}`, () =>
      Object.entries(this.content[catalog]?.[schema] ?? {})
        .filter(([name]) => after === null || name > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, 2)
        .map(([name, columns]) => tableOf(name, columns)),
    );
  }

  private async answer<A>(call: string, value: () => A): Promise<Either<QueryEngineError, A>> {
    this.calls.push(call);
    await this.gate;
    const failure = this.failures.get(call);
    return failure === undefined ? right(value()) : left(failure);
  }
}

const tableOf = (name: string, columns: readonly string[]): EngineTable => ({
  name,
  type: 'TABLE',
  columns: columns.map((column, index) => ({
    name: column,
    type: 'varchar',
    nullable: true,
    ordinalPosition: index + 1,
    defaultValue: null,
  })),
});
