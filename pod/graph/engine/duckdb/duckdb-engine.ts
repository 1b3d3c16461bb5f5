import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { mapLeft, mapRight } from '../../../../domain/kernel/either';
import { type AnalysedQuery, type Refusal } from '../cypher/analyse-query';
import { type EngineFailure, reasonOf } from '../engine-failure';
import { EngineSupervisor } from '../engine-supervisor';
import { computedAnswer } from '../evaluate/computed-answer';
import { createQueryTexts } from '../evaluate/query-texts';
import { type ExportedRows, exportedRows } from '../export/exported-rows';
import {
  type EngineOptions,
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type NodeWrite,
  type PodResources,
  type QueryClient,
  type QueryFailure,
  type TableKind,
  unnamedClient,
} from '../graph-engine';
import { EMPTY_SCHEMA, type GraphSchema, withNodeProperty } from '../graph-schema';
import { ofEngineAlone } from '../memory-watchdog';
import { VOCABULARY } from './compile/functions';
import { TEXT } from './compile/type';
import { type BoundSelect, type GraphLimits } from './database-calls';
import { type DatabaseProcess, type launchDatabase, ProcessEnded, startDatabase } from './database-process';
import { edgeLoad, nodeLoad } from './load-statements';
import { QueryCompiler } from './query-compiler';
import { type QueryEnd, queryEnd } from './query-end';
import { isFatal, queryFailure } from './query-failure';
import { SharedMemory } from './shared-memory';

/** Less than the 2 GiB that the folder of a pod has beside its graph. */
const SPILL_BYTES = 1.5 * 2 ** 30;
/** Memory of the pod's processes besides the database. */
const PROCESS_BYTES = 256 * 2 ** 20;
const SMALLEST_MEMORY_BYTES = 64 * 2 ** 20;
/** Share of the rest for the database, which exceeds its limit by the values in work. */
const MEMORY_SHARE = 0.45;

interface EngineParts {
  readonly compiler: QueryCompiler;
  readonly launch: typeof startDatabase;
  /** The process of the first start, launched before. */
  readonly launched: ReturnType<typeof launchDatabase>;
}

/** One attempt to run a query. */
interface Attempt {
  readonly database: DatabaseProcess;
  /** The number of the query. */
  readonly number: number;
  readonly select: BoundSelect;
  /** The error of a chunk of an export, with a message for the user. */
  readonly exportError: (error: unknown) => Error;
}

interface Execution<A> {
  readonly run: (attempt: Attempt) => Promise<A>;
  /** Rows that are read after the answer. */
  readonly rest?: (answer: A) => ExportedRows;
}

/** A graph in DuckDB, a database in its own process: each query is compiled to one SQL statement. */
export class DuckdbEngine implements GraphEngine {
  readonly kind = 'graphdb_a';
  readonly storesZeroCharacters = true;
  private readonly podResources: PodResources;
  private readonly supervisor: EngineSupervisor<DatabaseProcess>;
  private readonly memory = new SharedMemory();
  private readonly compiler: QueryCompiler;
  private isLoaded = false;
  /** The limits that the database has. */
  private applied: GraphLimits | null = null;
  private lastQuery = 0;
  /** Resolves when a write has changed the tables to those of the next schema; null while none does. */
  private swap: Promise<unknown> | null = null;
  private readonly texts = createQueryTexts(VOCABULARY);

  constructor(
    private readonly options: EngineOptions,
    { compiler = new QueryCompiler(), launch = startDatabase, launched }: Partial<EngineParts> = {},
  ) {
    this.compiler = compiler;
    this.podResources = options.podResources ?? ofEngineAlone(options);
    this.supervisor = new EngineSupervisor({
      onCrash: options.onCrash,
      podResources: this.podResources,
      endOverdueAfterMs: 5_000,
      launch: (onSpawn) => {
        const [limits, { isLoaded }] = [this.limits(), this];
        this.applied = limits;
        const first = launched;
        launched = undefined;
        return launch({ directory: options.directory, limits, isLoaded }, onSpawn, first);
      },
    });
  }

  async start() {
    await this.supervisor.end();
    this.isLoaded = false;
    this.compiler.schema = EMPTY_SCHEMA;
    return this.supervisor.start();
  }

  createSchema(schema: GraphSchema) {
    this.compiler.schema = schema;
    return Promise.resolve(right(undefined));
  }

  load(kind: TableKind, name: string, parquetFiles: readonly string[]) {
    const load = kind === 'nodes' ? nodeLoad : edgeLoad;
    return this.loading((database) => database.call('load', load(this.schema, name, parquetFiles)));
  }

  async finishLoading() {
    const finished = await this.loading((database) => database.call('finishLoading'));
    if (isLeft(finished)) return finished;
    this.isLoaded = true;
    this.supervisor.restartAfterCrash();
    return finished;
  }

  query(query: GraphQuery, client?: QueryClient) {
    const ask = (request: GraphQuery) => this.ask(request, client);
    return computedAnswer({ schema: this.schema, analyse: this.texts.analyse, ask }, query);
  }

  exportRows(query: GraphQuery, format: ExportFormat, client?: QueryClient) {
    const run = async ({ database, number, select, exportError }: Attempt): Promise<ExportedRows> => {
      const end = (): Promise<void> => database.call('endExport', number).catch(() => undefined);
      let first: Promise<Uint8Array | null> | null = database.call('beginExport', number, select, format);
      await first.catch(async (error: unknown) => {
        await end();
        throw error;
      });
      return exportedRows(() => {
        const piece = first ?? database.call('nextOfExport', number);
        first = null;
        return piece.catch((error: unknown) => Promise.reject(exportError(error)));
      }, end);
    };
    return this.run(query, client, { run, rest: (rows) => rows });
  }

  async writeNodes(write: NodeWrite): Promise<Either<EngineFailure, number>> {
    const { directory } = this.options;
    const { memoryBytes, threads } = this.limits();
    const label = this.schema.nodeTables.findIndex((table) => table.label === write.label);
    const scratch = {
      memoryBytes: memoryBytes / 8,
      threads,
      scratchDirectory: join(directory, 'engine-scratch'),
    };
    const written = await this.use((database) => database.call('writeNodes', this.schema, write, scratch));
    if (isLeft(written)) return written;
    const replace = () => this.use((database) => database.call('replaceTable', label));
    // Calling it again has no effect if the process ended after it.
    const replacing = replace().then((done) => (isLeft(done) && done.left.kind === 'crashed' ? replace() : done));
    this.swap = replacing.then((done) => {
      if (!isLeft(done)) this.compiler.schema = withNodeProperty(this.schema, write.label, write.property);
      this.swap = null;
    });
    await this.swap;
    return mapRight(await replacing, () => written.right);
  }

  processIds(): readonly number[] {
    return this.supervisor.processIds();
  }

  close(): Promise<void> {
    return this.supervisor.end();
  }

  analyse(text: string): { readonly refusal: Refusal | null } {
    return { refusal: this.texts.refusalOf(text) };
  }

  warningsOf(text: string): readonly string[] {
    return this.texts.warnings(text, this.schema);
  }

  private get schema(): GraphSchema {
    return this.compiler.schema;
  }

  private async ask(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>> {
    const run = ({ database, number, select }: Attempt) => database.call('answer', number, select);
    const answer = await this.run(query, client, { run });
    const warnings = this.warningsOf(query.text);
    return warnings.length === 0 ? answer : mapRight(answer, (rows) => ({ ...rows, warnings }));
  }

  private async run<A>(
    query: GraphQuery,
    client: QueryClient = unnamedClient(),
    execution: Execution<A>,
  ): Promise<Either<QueryFailure, A>> {
    const analysis = this.texts.analyse(query.text);
    if (isLeft(analysis)) return rejected(analysis.left);
    const answer = await this.supervisor.query(
      query,
      async (database, limited) => {
        const end = queryEnd(limited, client.disconnected);
        const attempt = () => this.attempt(database, limited, analysis.right, execution, end);
        return this.memory.run(attempt, end).finally(end.release);
      },
      client,
      execution.rest,
    );
    return mapLeft(answer, (failure) =>
      failure.kind === 'memory' ? { kind: 'memory', limits: this.limits() } : failure,
    );
  }

  private async attempt<A>(
    database: DatabaseProcess,
    query: GraphQuery,
    analysed: AnalysedQuery,
    { run, rest }: Execution<A>,
    end: QueryEnd,
  ): Promise<Either<QueryFailure, A>> {
    const number = ++this.lastQuery;
    const interrupt = (): void => void database.call('interrupt', number).catch(() => undefined);
    const exportError = (error: unknown): Error => {
      const failure = this.failureOf(error, database, analysed);
      return new Error(failure.kind === 'rejected' ? failure.message : `The query ended: ${failure.kind}.`);
    };
    end.signal.addEventListener('abort', interrupt);
    try {
      for (;;) {
        await this.swap;
        const { schema } = this;
        const bound = this.compiler.select(analysed, query);
        if (isLeft(bound)) return rejected(bound.left);
        await this.applyLimits(database);
        const select = await this.selectOf(bound.right, analysed, database, number);
        const early = end.failure();
        if (early !== null) return left(early);
        const answer = await run({ database, number, select, exportError });
        const rows = rest?.(answer);
        if (this.schema === schema && this.swap === null) {
          if (rows !== undefined) this.memory.uses(rows.ended);
          return right(answer);
        }
        // It may have read tables of the next schema.
        await rows?.return();
      }
    } catch (error) {
      return left(end.failure() ?? this.failureOf(error, database, analysed));
    } finally {
      end.signal.removeEventListener('abort', interrupt);
    }
  }

  /** For EXPLAIN and PROFILE a SELECT of the plan. */
  private async selectOf(
    select: BoundSelect,
    { explain }: AnalysedQuery,
    database: DatabaseProcess,
    number: number,
  ): Promise<BoundSelect> {
    if (explain === null) return select;
    const text = await database.call('explain', number, select, explain === 'PROFILE');
    const values = [{ type: TEXT, value: JSON.stringify(text) }];
    return { sql: 'SELECT $1', mostRows: 1, values, columns: ['plan'], columnTypes: ['STRING'], nestedTypes: [] };
  }

  private limits(): GraphLimits {
    const ofDatabase = Math.floor(MEMORY_SHARE * (this.podResources.limitBytes() - PROCESS_BYTES));
    const memoryBytes = Math.max(SMALLEST_MEMORY_BYTES, ofDatabase);
    const threads = Math.max(1, Math.floor(this.podResources.cores()));
    return { memoryBytes, threads, spillBytes: SPILL_BYTES };
  }

  private async applyLimits(database: DatabaseProcess): Promise<void> {
    const limits = this.limits();
    const { memoryBytes, threads } = this.applied ?? {};
    if (limits.memoryBytes === memoryBytes && limits.threads === threads) return;
    this.applied = limits;
    await database.call('applyLimits', limits);
  }

  private failureOf(error: unknown, database: DatabaseProcess, analysed: AnalysedQuery): QueryFailure {
    if (error instanceof ProcessEnded) return { kind: 'crashed', message: error.message };
    if (isFatal(error)) database.kill();
    return queryFailure(error, analysed);
  }

  /** A process that ends during the load is not replaced: the load fails with the reason. */
  private async loading<A>(step: (database: DatabaseProcess) => Promise<A>): Promise<Either<EngineFailure, A>> {
    return mapLeft(await this.use(step), (failure) =>
      failure.kind === 'crashed'
        ? { kind: 'rejected', reason: `The database ended during the load (${failure.reason}).` }
        : failure,
    );
  }

  private use<A>(action: (database: DatabaseProcess) => Promise<A>): Promise<Either<EngineFailure, A>> {
    return this.supervisor.use(async (database): Promise<Either<EngineFailure, A>> => {
      try {
        await this.applyLimits(database);
        return right(await action(database));
      } catch (error) {
        const hasEnded = error instanceof ProcessEnded || isFatal(error);
        if (hasEnded) database.kill();
        return left({ kind: hasEnded ? 'crashed' : 'rejected', reason: reasonOf(error) });
      }
    });
  }
}

const rejected = (refusal: Refusal) => left({ kind: 'rejected' as const, ...refusal });
