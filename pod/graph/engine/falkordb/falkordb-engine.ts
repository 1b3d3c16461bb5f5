import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { installedPrograms } from '../../../../adapters/contracts/graph-pod/platform';
import { openDuckdb } from '../../duckdb/duckdb-session';
import { type EngineFailure } from '../engine-failure';
import { type EngineProcedures } from '../engine-procedures';
import { type ExportedRows } from '../export/exported-rows';
import { EngineSupervisor, MAX_QUERIES_AT_ONCE, NOT_STARTED, type OnSpawn } from '../engine-supervisor';
import {
  type EngineOptions,
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type NodeWrite,
  type PodMemory,
  type QueryClient,
  type QueryFailure,
  type RowCounts,
  type TableKind,
} from '../graph-engine';
import { ofEngineAlone } from '../memory-watchdog';
import { withNodeProperty, type GraphProperty, type GraphSchema } from '../graph-schema';
import { MAX_ROWS } from '../answer-limits';
import { exportQuery } from './export-query';
import { answerWarnings } from './answer-rows';
import { indexKeys } from './key-indexes';
import { preparePrograms, type EnginePrograms } from './module/programs';
import { NodeIds } from './node-ids';
import { numberNodes } from './number-nodes';
import { runProcedure, storeFound } from './procedures';
import { analyseFalkordbQuery } from './query-text';
import { runQuery } from './run-query';
import { runServer, type RunningServer } from './running-server';
import { openGraphWriter, type GraphWriter, type LabelRange } from './saved-graph/graph-writer';
import { SAVED_GRAPH } from './server-process';
import { writeNodes } from './write-nodes';

export interface FalkordbOptions extends EngineOptions {
  /** Folder for programs made ready for this machine, shared by all pods. */
  readonly cacheDirectory: string;
}

/** FalkorDB, a server in a process of its own, restarted from its saved graph after a crash. */
export class FalkordbEngine implements GraphEngine {
  readonly kind = 'graphdb_b';
  readonly analyse = analyseFalkordbQuery;
  readonly procedures: EngineProcedures = {
    run: (run, signal) =>
      this.supervisor.use(async (server) => {
        const found = await runProcedure(server, run, signal, (why) => this.supervisor.endOnPurpose(server, why));
        if (isLeft(found)) return found;
        if (run.property === null) return right(found.right.reduce((sum, { ids }) => sum + ids.length, 0));
        const labels = run.nodeLabels ?? this.schema.nodeTables.map(({ label }) => label);
        return this.keep(server, await storeFound(server, found.right, run.property), labels, run.property);
      }),
  };
  readonly storesNaN = 'anywhere';
  readonly storesInfiniteTimes = true;
  readonly storesZeroCharacters = false;
  private readonly directory: string;
  private readonly podMemory: PodMemory;
  private readonly supervisor: EngineSupervisor<RunningServer>;
  private schema: GraphSchema = { nodeTables: [], edgeTables: [] };
  private rows: RowCounts = { nodes: new Map(), edges: new Map() };
  private ids = new NodeIds(this.schema, []);
  private ranges: readonly LabelRange[] = [];
  private readonly files = new Map<string, readonly string[]>();
  private programs: EnginePrograms | null = null;
  private writer: GraphWriter | null = null;

  constructor(private readonly options: FalkordbOptions) {
    this.directory = join(options.directory, 'engine');
    this.podMemory = options.podMemory ?? ofEngineAlone(options.memoryBytes);
    this.supervisor = new EngineSupervisor({
      onCrash: options.onCrash,
      podMemory: this.podMemory,
      endOverdueAfterMs: 5_000,
      worksOn: MAX_QUERIES_AT_ONCE,
      launch: (onSpawn) => this.launch(onSpawn),
    });
  }

  async start(): Promise<Either<EngineFailure, void>> {
    await this.supervisor.end();
    this.writer?.close();
    this.writer = null;
    await rm(this.directory, { recursive: true, force: true });
    await mkdir(this.directory, { recursive: true });
    const { cacheDirectory } = this.options;
    const found = await preparePrograms({ directory: installedPrograms(), cacheDirectory });
    if (isLeft(found)) {
      const reason = `graphdb_b cannot run on this machine: ${found.left}. Use graphdb_a.`;
      return left({ kind: 'unavailable', reason });
    }
    this.programs = found.right;
    return right(undefined);
  }

  /** Starts the server; it reads the graph while it is written. */
  async createSchema(schema: GraphSchema, rows: RowCounts): Promise<Either<EngineFailure, void>> {
    if (this.programs === null) return left(NOT_STARTED);
    this.schema = schema;
    this.rows = rows;
    const graph = { path: join(this.directory, SAVED_GRAPH), schema, rows, duckdb: this.duckdbLimits() };
    const opened = await openGraphWriter(graph, () => this.supervisor.start());
    if (isLeft(opened)) return opened;
    this.writer = opened.right;
    return right(undefined);
  }

  async load(kind: TableKind, table: string, files: readonly string[]): Promise<Either<EngineFailure, number>> {
    if (kind === 'nodes') this.files.set(table, files);
    return this.writer === null ? left(NOT_STARTED) : this.writer.write(table, files);
  }

  async finishLoading(): Promise<Either<EngineFailure, void>> {
    if (this.writer === null) return left(NOT_STARTED);
    const ranges = await this.writer.end();
    if (isLeft(ranges)) return ranges;
    this.writer = null;
    this.ranges = ranges.right;
    this.ids = new NodeIds(this.schema, ranges.right);
    const checked = await this.supervisor.use((server) => this.checkRows(server));
    if (!isLeft(checked)) this.supervisor.restartAfterCrash();
    return checked;
  }

  query(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>> {
    return this.supervisor.query(
      query,
      (server, limited) => runQuery(server, limited, { schema: this.schema, ids: this.ids }),
      client,
    );
  }

  warningsOf(text: string): readonly string[] {
    return answerWarnings(analyseFalkordbQuery(text), this.schema);
  }

  exportRows(
    query: GraphQuery,
    format: ExportFormat,
    client?: QueryClient,
  ): Promise<Either<QueryFailure, ExportedRows>> {
    return this.supervisor.query(
      query,
      (server, limited) => exportQuery(server, limited, { schema: this.schema, ids: this.ids }, format),
      client,
      (rows) => rows,
    );
  }

  writeNodes(write: NodeWrite): Promise<Either<EngineFailure, number>> {
    return this.supervisor.use(async (server) => {
      const key = this.schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
      if (key === undefined) return left({ kind: 'rejected', reason: `There is no label ${write.label}.` });
      const first = this.ranges.find(({ label }) => label === write.label)?.first ?? 0;
      const files = this.files.get(write.label) ?? [];
      const session = await openDuckdb(this.duckdbLimits());
      const written = await numberNodes(session, 'numbers', { key, files, first })
        .then(() => writeNodes(server, session, write, 'numbers'))
        .finally(() => session.close());
      return this.keep(server, written, [write.label], write.property);
    });
  }

  processIds(): readonly number[] {
    return this.supervisor.processIds();
  }

  async close(): Promise<void> {
    await this.supervisor.end();
    this.writer?.abandon();
  }

  private async launch(onSpawn: OnSpawn): Promise<Either<EngineFailure, RunningServer>> {
    if (this.programs === null) return left(NOT_STARTED);
    const { cpuCores } = this.options;
    const started = await runServer({
      programs: this.programs,
      directory: this.directory,
      memoryBytes: this.podMemory.limitBytes(),
      cpuCores,
      queriesAtOnce: MAX_QUERIES_AT_ONCE,
      maxRows: MAX_ROWS + 1,
      onSpawn,
    });
    if (isLeft(started)) return started;
    const indexed = await indexKeys(started.right, this.schema.nodeTables);
    return isLeft(indexed) ? indexed : started;
  }

  private async checkRows(server: RunningServer): Promise<Either<EngineFailure, void>> {
    const { nodes, edges } = this.rows;
    const expected = [
      ...[...nodes].map(([label, count]) => ({ count, pattern: `(x:\`${label}\`)` })),
      ...[...edges].map(([type, count]) => ({ count, pattern: `()-[x:\`${type}\`]->()` })),
    ];
    for (const { count, pattern } of expected) {
      const counted = await server.count(`MATCH ${pattern} RETURN count(x)`);
      if (isLeft(counted)) return counted;
      if (counted.right === count) continue;
      const reason = `${count} rows of ${pattern} were stored, and the server has ${counted.right}.`;
      return left({ kind: 'rejected', reason });
    }
    return right(undefined);
  }

  /** Makes what was written last. What was written in part is not in the saved graph, which the next server reads. */
  private async keep(
    server: RunningServer,
    written: Either<EngineFailure, number>,
    labels: readonly string[],
    property: GraphProperty,
  ): Promise<Either<EngineFailure, number>> {
    if (isLeft(written)) {
      server.kill();
      return written;
    }
    for (const label of labels) this.schema = withNodeProperty(this.schema, label, property);
    await server.refreshNames();
    const saved = await server.save();
    if (!isLeft(saved)) return written;
    const reason = `The values are on the nodes, but not in the file the database restarts from: ${saved.left.reason}. Start the run again.`;
    return left({ ...saved.left, reason });
  }

  private duckdbLimits() {
    const { directory, memoryBytes, cpuCores } = this.options;
    return { memoryBytes: memoryBytes / 8, threads: cpuCores, scratchDirectory: join(directory, 'engine-scratch') };
  }
}
