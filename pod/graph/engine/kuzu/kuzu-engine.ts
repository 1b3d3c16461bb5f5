import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Either, isLeft, left, map, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type CallFailure, type EngineFailure } from '../engine-failure';
import { EngineSupervisor } from '../engine-supervisor';
import { exportedRows, type ExportedRows } from '../export/exported-rows';
import {
  type EngineOptions,
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type NodeWrite,
  type QueryFailure,
  type QueryClient,
  type TableKind,
} from '../graph-engine';
import { computedAnswer, mayBeComputed } from '../evaluate/computed-answer';
import { Lanes } from '../lanes';
import { ofEngineAlone } from '../memory-watchdog';
import { EMPTY_SCHEMA, withNodeProperty, type GraphSchema } from '../graph-schema';
import { type Refusal } from '../cypher/analyse-query';
import { type Query } from '../cypher/tree';
import { type StatementFailure } from './binding/binding';
import { tableNames, withTableNames } from './load/table-names';
import { type DatabaseOptions } from './process/kuzu-database';
import { startKuzuProcess, type KuzuCallName, type KuzuCalls, type KuzuProcess } from './process/kuzu-process';
import { createKuzuPreparation } from './language';
import { nullLiterals } from './query/parameter-literal';
import { runQuery } from './query/run-query';
import { KuzuQuery, type SentQuery, type WantedRows } from './query/sent-query';

const SMALLEST_POOL_BYTES = 64 * 1024 * 1024;
/** A query occupies all workers of the engine but one until it ends; a second one gets the last worker. */
const QUERIES_AT_WORK = Math.min(2, availableParallelism());
/** Timeout of a query on the last worker. */
const QUICK_MS = 500;

/** Kuzu, an embedded database, in a child process that is restarted on the files of the loaded database. */
export class KuzuEngine implements GraphEngine {
  readonly kind = 'graphdb_a';
  readonly procedures = null;
  /** Values after NaN may be lost, see `losesNumbers`; the order of edges and of nested values cannot be chosen. */
  readonly storesNaN = 'node properties';
  /** An infinite DATE becomes the last possible day, an infinite TIMESTAMP fails. */
  readonly storesInfiniteTimes = false;
  readonly storesSmallestValues = false;
  readonly storesZeroCharacters = true;
  private readonly database: Pick<DatabaseOptions, 'path' | 'threads'>;
  private readonly supervisor: EngineSupervisor<KuzuProcess>;
  private readonly preparation = createKuzuPreparation();
  /** Data learnt from queries with the current schema, by their trees with the cures. */
  private known = new WeakMap<Query, KuzuQuery>();
  private schema = EMPTY_SCHEMA;
  private names = tableNames(EMPTY_SCHEMA);

  constructor({ directory, memoryBytes, cpuCores, onCrash, podMemory = ofEngineAlone(memoryBytes) }: EngineOptions) {
    this.database = {
      path: join(directory, 'graph.kuzu'),
      threads: Math.max(1, Math.floor(cpuCores)),
    };
    this.supervisor = new EngineSupervisor({
      onCrash,
      podMemory,
      endOverdueAfterMs: 500,
      worksOn: QUERIES_AT_WORK,
      lanes: QUERIES_AT_WORK > 1 ? new Lanes(QUICK_MS) : null,
      launch: async (onSpawn) => {
        const started = startKuzuProcess();
        if (isLeft(started)) return started;
        onSpawn(started.right);
        const bufferPoolBytes = Math.max(SMALLEST_POOL_BYTES, Math.floor(podMemory.limitBytes() / 2));
        const schema = withTableNames(this.schema, this.names);
        const opened = await started.right.call('open', { ...this.database, bufferPoolBytes, schema });
        return isLeft(opened) ? opened : started;
      },
    });
  }

  async start() {
    await this.supervisor.end();
    for (const suffix of ['', '.wal', '.shadow', '.tmp']) {
      await rm(this.database.path + suffix, { recursive: true, force: true });
    }
    this.setSchema(EMPTY_SCHEMA);
    return this.supervisor.start();
  }

  async createSchema(schema: GraphSchema) {
    this.setSchema(schema);
    return this.call('createSchema', withTableNames(schema, this.names));
  }

  load(kind: TableKind, table: string, parquetFiles: readonly string[]) {
    return this.call('load', kind, this.names.tableOf(kind, table), parquetFiles);
  }

  async finishLoading() {
    const finished = await this.call('finishLoading');
    if (isLeft(finished)) return finished;
    if (finished.right !== null) return left({ kind: 'unstorable' as const, reason: finished.right });
    this.supervisor.restartAfterCrash();
    return right(undefined);
  }

  query(query: GraphQuery, client?: QueryClient) {
    const ask = (request: GraphQuery) => this.ask(request, client);
    return computedAnswer({ schema: this.schema, analyse: this.preparation.analyse, ask }, query);
  }

  private async ask(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>> {
    const answer = await this.run(query, client, 'of an answer', (process, sent) => process.call('query', sent));
    return map((rows: GraphAnswer) => this.withWarnings(query, rows))(answer);
  }

  exportRows(query: GraphQuery, format: ExportFormat, client?: QueryClient) {
    const open = async (process: KuzuProcess, sent: SentQuery) => {
      const opened = await process.call('openExport', sent, format);
      if (isLeft(opened)) return opened;
      return right(map((id: number) => rowsOf(process, id))(opened.right));
    };
    return this.run(query, client, 'all', open, (rows) => rows);
  }

  async writeNodes(write: NodeWrite) {
    const written = await this.call('writeNodes', { ...write, label: this.names.tableOf('nodes', write.label) });
    if (!isLeft(written)) this.setSchema(withNodeProperty(this.schema, write.label, write.property));
    return written;
  }

  processIds() {
    return this.supervisor.processIds();
  }

  close() {
    return this.supervisor.end();
  }

  analyse(text: string): { readonly refusal: Refusal | null } {
    const prepared = this.prepare({ text });
    if (!isLeft(prepared)) return { refusal: null };
    const analysed = this.preparation.analyse(text);
    const accepts = (part: string): boolean => !isLeft(this.prepare({ text: part }));
    const answers = (part: string): boolean => this.analyse(part).refusal === null;
    return { refusal: !isLeft(analysed) && mayBeComputed(analysed.right, accepts, answers) ? null : prepared.left };
  }

  warningsOf(text: string, walks?: boolean) {
    const analysed = this.preparation.analyse(text);
    const isExplained = !isLeft(analysed) && analysed.right.explain !== null;
    return isExplained ? [] : this.preparation.warnings(text, this.schema, walks);
  }

  private withWarnings({ text, walks }: GraphQuery, answer: GraphAnswer): GraphAnswer {
    const warnings = this.warningsOf(text, walks);
    return warnings.length === 0 ? answer : { ...answer, warnings };
  }

  private setSchema(schema: GraphSchema): void {
    this.schema = schema;
    this.known = new WeakMap();
    this.names = tableNames(schema);
  }

  private async run<A>(
    query: GraphQuery,
    client: QueryClient | undefined,
    rows: WantedRows,
    call: (process: KuzuProcess, sent: SentQuery) => Promise<Either<CallFailure, Either<StatementFailure, A>>>,
    rest?: (answer: A) => ExportedRows,
  ): Promise<Either<QueryFailure, A>> {
    const prepared = this.prepare(query);
    if (isLeft(prepared)) return left({ kind: 'rejected', ...prepared.left });
    const execute = (process: KuzuProcess, limited: GraphQuery): Promise<Either<QueryFailure, A>> =>
      runQuery(prepared.right, limited, rows, async (sent) => {
        const answer = await call(process, sent);
        return isLeft(answer) ? left({ kind: 'crashed', message: answer.left.reason }) : answer.right;
      });
    return this.supervisor.query(query, execute, client, rest);
  }

  private prepare({ text, walks, parameters = {} }: Pick<GraphQuery, 'text' | 'walks'> & Partial<GraphQuery>) {
    const analysed = this.preparation.analyse(text);
    if (isLeft(analysed)) return analysed;
    const literals = nullLiterals(parameters);
    const cured = this.preparation.cured({ text, walks, parameters }, this.schema, literals);
    if (isLeft(cured)) return cured;
    if (literals.size > 0) {
      const others = analysed.right.parameters.filter((name) => !literals.has(name));
      return right(new KuzuQuery({ ...analysed.right, parameters: others }, cured.right, this.schema));
    }
    let known = this.known.get(cured.right);
    if (known === undefined)
      this.known.set(cured.right, (known = new KuzuQuery(analysed.right, cured.right, this.schema)));
    return right(known);
  }

  private call<N extends KuzuCallName>(
    name: N,
    ...parameters: Parameters<KuzuCalls[N]>
  ): Promise<Either<EngineFailure, Awaited<ReturnType<KuzuCalls[N]>>>> {
    return this.supervisor.use((process) => process.call(name, ...parameters));
  }
}

const rowsOf = (process: KuzuProcess, id: number): ExportedRows =>
  exportedRows(
    async () => {
      const piece = await process.call('readExport', id);
      if (isLeft(piece)) throw new Error(piece.left.reason);
      return piece.right;
    },
    () => process.call('closeExport', id),
  );
