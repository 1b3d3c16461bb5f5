import { join } from 'node:path';
import { VARCHAR } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { mapRight } from '../../../../domain/kernel/either';
import { type AnalysedQuery, type Refusal, refusing } from '../cypher/analyse-query';
import { checkRegularExpressions } from '../cypher/regular-expressions';
import { type EngineFailure, reasonOf } from '../engine-failure';
import { NOT_STARTED } from '../engine-supervisor';
import { computedAnswer } from '../evaluate/computed-answer';
import { foldConstants } from '../evaluate/fold-constants';
import { createQueryTexts } from '../evaluate/query-texts';
import { type ExportedRows } from '../export/exported-rows';
import {
  type EngineOptions,
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type NodeWrite,
  type QueryClient,
  type QueryFailure,
  type TableKind,
} from '../graph-engine';
import { EMPTY_SCHEMA, type GraphSchema, withNodeProperty } from '../graph-schema';
import { ofEngineAlone } from '../memory-watchdog';
import { compileQuery, parameterKey } from './compile/compile-query';
import { type CompiledQuery } from './compile/compiled-query';
import { VOCABULARY } from './compile/functions';
import { type BoundSelect, type GraphConnection } from './graph-connection';
import { GraphDatabase, type GraphLimits } from './graph-database';
import { edgeLoad, nodeLoad } from './load-statements';
import { isFatal, queryFailure } from './query-failure';
import { QueryRunner } from './query-runner';
import { type AnswerColumns, readAnswer, readExport, type ResultRows, RowsMissing } from './result-rows';
import { writeNodes } from './write-nodes';

const MAX_COMPILED = 500;
/** Less than the 2 GiB that the folder of a pod has beside its graph. */
const SPILL_BYTES = 1.5 * 2 ** 30;
/** Memory of the process besides the database. */
const PROCESS_BYTES = 192 * 2 ** 20;
const SMALLEST_MEMORY_BYTES = 64 * 2 ** 20;
/** Share of the rest for the database, which exceeds its limit by the values in work. */
const MEMORY_SHARE = 0.45;

type Compile = typeof compileQuery;

interface BoundQuery {
  readonly select: BoundSelect;
  readonly columns: AnswerColumns;
}

/** How the rows of a query are read. */
interface ResultUse<A> {
  /** Whether all rows are computed first, so that an error comes before the first row. */
  readonly isStored: boolean;
  readonly read: (rows: ResultRows, columns: AnswerColumns, analysed: AnalysedQuery) => Promise<A>;
  readonly rest?: (answer: A) => ExportedRows;
}

/** A graph in DuckDB, in this process: each query is compiled to one SQL statement. */
export class DuckdbEngine implements GraphEngine {
  readonly kind = 'graphdb_a';
  readonly storesZeroCharacters = true;
  private readonly limitBytes: () => number;
  private database: Promise<Either<EngineFailure, GraphDatabase>> = Promise.resolve(left(NOT_STARTED));
  private schema = EMPTY_SCHEMA;
  /** Resolves when a write has changed the tables to those of the next schema; null while none does. */
  private swap: Promise<unknown> | null = null;
  private readonly texts = createQueryTexts(VOCABULARY);
  private readonly compiled = new LRUCache<string, Either<Refusal, CompiledQuery>>({ max: MAX_COMPILED });
  private readonly runner = new QueryRunner({
    database: () => this.opened(),
    failureOf: (error, analysed) => this.failureOf(error, analysed),
  });

  constructor(
    private readonly options: EngineOptions,
    private readonly compile: Compile = compileQuery,
  ) {
    this.limitBytes = (options.podMemory ?? ofEngineAlone(options.memoryBytes)).limitBytes;
  }

  async start() {
    await this.close();
    await GraphDatabase.remove(this.options.directory);
    this.setSchema(EMPTY_SCHEMA);
    this.database = attempted(GraphDatabase.open(this.options.directory, this.limits()));
    return mapRight(await this.database, () => undefined);
  }

  createSchema(schema: GraphSchema) {
    this.setSchema(schema);
    return Promise.resolve(right(undefined));
  }

  load(kind: TableKind, name: string, parquetFiles: readonly string[]) {
    return this.use(async (database) => {
      const load = kind === 'nodes' ? nodeLoad : edgeLoad;
      const { table, statements } = load(this.schema, name, parquetFiles);
      for (const statement of statements) await database.run(statement);
      return database.count(`SELECT count(*) FROM ${table}`);
    });
  }

  finishLoading() {
    return this.use(async (database) => {
      await database.run('CHECKPOINT graph');
      await database.seal();
    });
  }

  query(query: GraphQuery, client?: QueryClient) {
    const ask = (request: GraphQuery) => this.ask(request, client);
    return computedAnswer({ schema: this.schema, analyse: this.texts.analyse, ask }, query);
  }

  exportRows(query: GraphQuery, format: ExportFormat, client?: QueryClient) {
    const read = async (rows: ResultRows, columns: AnswerColumns, analysed: AnalysedQuery) =>
      readExport(rows, columns, format, (error) => {
        const failure = this.failureOf(error, analysed);
        return failure.kind === 'rejected' ? failure.message : `The query ended: ${failure.kind}.`;
      });
    return this.run(query, client, { isStored: true, read, rest: (rows) => rows });
  }

  async writeNodes(write: NodeWrite) {
    const { directory, cpuCores } = this.options;
    const scratch = {
      memoryBytes: this.limits().memoryBytes / 8,
      threads: cpuCores,
      scratchDirectory: join(directory, 'engine-scratch'),
    };
    const written = await this.use((database) =>
      writeNodes(database, this.schema, write, scratch, async (statements) => {
        const swapping = database.transaction(statements);
        this.swap = swapping.catch(() => undefined);
        try {
          await swapping;
          this.setSchema(withNodeProperty(this.schema, write.label, write.property));
        } finally {
          this.swap = null;
        }
      }),
    );
    if (isLeft(written)) this.reportFatal(written.left.reason);
    return written;
  }

  /** It runs in this process. */
  processIds(): readonly number[] {
    return [];
  }

  async close(): Promise<void> {
    const closing = this.database;
    this.database = Promise.resolve(left(NOT_STARTED));
    await this.runner.stop();
    const opened = await closing;
    if (!isLeft(opened)) opened.right.close();
  }

  analyse(text: string): { readonly refusal: Refusal | null } {
    return { refusal: this.texts.refusalOf(text) };
  }

  warningsOf(text: string): readonly string[] {
    return this.texts.warnings(text, this.schema);
  }

  private async ask(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>> {
    const answer = await this.run(query, client, { isStored: false, read: readAnswer });
    const warnings = this.warningsOf(query.text);
    return warnings.length === 0 ? answer : mapRight(answer, (rows) => ({ ...rows, warnings }));
  }

  private async run<A>(
    query: GraphQuery,
    client: QueryClient | undefined,
    { isStored, read, rest }: ResultUse<A>,
  ): Promise<Either<QueryFailure, A>> {
    const analysis = this.texts.analyse(query.text);
    if (isLeft(analysis)) return rejected(analysis.left);
    const analysed = analysis.right;
    const execute = async (connection: GraphConnection): Promise<Either<QueryFailure, A>> => {
      for (let stored = isStored; ;) {
        await this.swap;
        const { schema } = this;
        const bound = this.bound(analysed, query);
        if (isLeft(bound)) return rejected(bound.left);
        const { select, columns } =
          analysed.explain === null ? bound.right : await plan(connection, bound.right, analysed);
        const rows = await connection.rows(select, stored);
        // Otherwise it may have read tables of the next schema.
        if (this.schema !== schema || this.swap !== null) continue;
        try {
          return right(await read(rows, columns, analysed));
        } catch (error) {
          if (stored || !(error instanceof RowsMissing)) throw error;
          // It reports what failed.
          stored = true;
        }
      }
    };
    return this.runner.run(query, client, { analysed, execute, rest });
  }

  private bound(analysed: AnalysedQuery, query: GraphQuery): Either<Refusal, BoundQuery> {
    const { query: folded, names, parameters: sent } = foldConstants(analysed, query.parameters);
    const whole = { ...analysed, query: folded, parameters: [...analysed.parameters, ...names] };
    const compiled = this.compiledFor(whole, { ...query, parameters: sent });
    if (isLeft(compiled)) return compiled;
    const { sql, mostRows, parameters, columns, columnTypes } = compiled.right;
    return refusing(analysed.text, () => {
      if (analysed.text.includes('=~')) checkRegularExpressions(folded, sent);
      const values = parameters.map(({ value }) => value(sent));
      const types = parameters.map(({ type }) => type);
      return {
        select: { sql, columnCount: columns.length, mostRows, values, types },
        columns: { columns, columnTypes },
      };
    });
  }

  private compiledFor(analysed: AnalysedQuery, { parameters, walks = false }: GraphQuery) {
    const types = parameterKey(analysed, parameters);
    const key = [walks, types, ...analysed.parameters, analysed.text].join('\n');
    const cached = this.compiled.get(key);
    if (cached !== undefined) return cached;
    const { schema } = this;
    const made = refusing(analysed.text, () => this.compile(analysed, { schema, parameters, walks }));
    this.compiled.set(key, made);
    return made;
  }

  private setSchema(schema: GraphSchema): void {
    this.schema = schema;
    this.compiled.clear();
  }

  private limits(): GraphLimits {
    const ofDatabase = Math.floor(MEMORY_SHARE * (this.limitBytes() - PROCESS_BYTES));
    const memoryBytes = Math.max(SMALLEST_MEMORY_BYTES, ofDatabase);
    return { memoryBytes, threads: Math.max(1, Math.floor(this.options.cpuCores)), spillBytes: SPILL_BYTES };
  }

  private failureOf(error: unknown, analysed: AnalysedQuery): QueryFailure {
    this.reportFatal(error);
    return queryFailure(error, analysed, this.limits());
  }

  private reportFatal(error: unknown): void {
    if (isFatal(error)) this.options.onCrash({ how: reasonOf(error), isWanted: false, recovered: false });
  }

  private async opened(): Promise<Either<EngineFailure, GraphDatabase>> {
    const opened = await this.database;
    if (!isLeft(opened)) await opened.right.setMemory(this.limits().memoryBytes);
    return opened;
  }

  private async use<A>(action: (database: GraphDatabase) => Promise<A>): Promise<Either<EngineFailure, A>> {
    const opened = await this.opened();
    return isLeft(opened) ? opened : attempted(action(opened.right));
  }
}

const rejected = (refusal: Refusal) => left({ kind: 'rejected' as const, ...refusal });

const attempted = <A>(action: Promise<A>): Promise<Either<EngineFailure, A>> =>
  action.then(right, (error: unknown) => left({ kind: 'rejected', reason: reasonOf(error) }));

/** A SELECT for the plan of another one. */
const plan = async (
  connection: GraphConnection,
  { select }: BoundQuery,
  { explain }: AnalysedQuery,
): Promise<BoundQuery> => {
  const text = await connection.explain(select, explain === 'PROFILE');
  return {
    select: { sql: 'SELECT $1', columnCount: 1, mostRows: 1, values: [JSON.stringify(text)], types: [VARCHAR] },
    columns: { columns: ['plan'], columnTypes: ['STRING'] },
  };
};
