import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { installedPrograms } from '../../../../adapters/contracts/graph-pod/platform';
import { openDuckdb } from '../../duckdb/duckdb-session';
import { type Refusal } from '../cypher/analyse-query';
import { type CallFailure, type EngineFailure, reasonOf } from '../engine-failure';
import { EngineSupervisor, NOT_STARTED, type OnSpawn } from '../engine-supervisor';
import { computedAnswer } from '../evaluate/computed-answer';
import { type ExportedRows } from '../export/exported-rows';
import {
  type EngineOptions,
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  MAX_ROWS,
  type NodeWrite,
  type PodResources,
  type QueryClient,
  type QueryFailure,
  type TableKind,
} from '../graph-engine';
import { EMPTY_SCHEMA, type GraphSchema, withAcyclicTypes, withNodeProperty } from '../graph-schema';
import { ofEngineAlone } from '../memory-watchdog';
import { MAX_QUERIES_AT_ONCE } from '../slots';
import { BulkLoader } from './bulk-load/bulk-loader';
import { indexKeys } from './key-indexes';
import { type EnginePrograms, preparePrograms } from './module/programs';
import { type LabelRange, NodeIds, numberNodes } from './node-ids';
import { createQueryPreparation } from './query-preparation';
import { type QueryGraph } from './query-rows';
import { exportQuery, runQuery } from './run-query';
import { type RunningServer, runServer } from './running-server';
import { withOneForm } from './storage';
import { writeNodes } from './write-nodes';

export interface FalkordbOptions extends EngineOptions {
  /** Folder for prepared programs, shared by all pods of the machine. */
  readonly cacheDirectory: string;
}

/** FalkorDB, a server in its own process, restarted from its saved graph after a crash. */
export class FalkordbEngine implements GraphEngine {
  readonly kind = 'graphdb_b';
  readonly storesZeroCharacters = false;
  private readonly directory: string;
  private readonly podResources: PodResources;
  private readonly supervisor: EngineSupervisor<RunningServer>;
  private readonly preparation = createQueryPreparation();
  private schema: GraphSchema = EMPTY_SCHEMA;
  private ids = new NodeIds(this.schema, []);
  private ranges: readonly LabelRange[] = [];
  private readonly files = new Map<string, readonly string[]>();
  private programs: EnginePrograms | null = null;
  private loader: BulkLoader | null = null;

  constructor(private readonly options: FalkordbOptions) {
    this.directory = join(options.directory, 'engine');
    this.podResources = options.podResources ?? ofEngineAlone(options);
    this.supervisor = new EngineSupervisor({
      onCrash: options.onCrash,
      podResources: this.podResources,
      endOverdueAfterMs: 5_000,
      launch: (onSpawn) => this.launch(onSpawn),
    });
  }

  async start(): Promise<Either<EngineFailure, void>> {
    await this.supervisor.end();
    this.closeLoader();
    this.schema = EMPTY_SCHEMA;
    await rm(this.directory, { recursive: true, force: true });
    await mkdir(this.directory, { recursive: true });
    const { cacheDirectory } = this.options;
    const found = await preparePrograms({ directory: installedPrograms(), cacheDirectory });
    if (isLeft(found)) {
      const reason = `graphdb_b cannot run on this machine: ${found.left}. Use graphdb_a.`;
      return left({ kind: 'unavailable', reason });
    }
    this.programs = found.right;
    return this.supervisor.start();
  }

  createSchema(schema: GraphSchema): Promise<Either<EngineFailure, void>> {
    return this.supervisor.use(async (server) => {
      this.loader = new BulkLoader(server, await openDuckdb(this.duckdbLimits()));
      this.schema = withOneForm(schema);
      return right(undefined);
    });
  }

  load(kind: TableKind, name: string, files: readonly string[]): Promise<Either<EngineFailure, number>> {
    const { nodeTables, edgeTables } = this.schema;
    const nodes = nodeTables.find(({ label }) => kind === 'nodes' && label === name);
    const table = nodes ?? edgeTables.find(({ type }) => kind === 'edges' && type === name);
    if (nodes !== undefined) this.files.set(name, files);
    return this.loading(async (loader) =>
      table === undefined ? left({ kind: 'rejected', reason: `Unknown table ${name}.` }) : loader.load(table, files),
    );
  }

  /** The key indexes are built while a fork of the server saves the graph. */
  async finishLoading(): Promise<Either<EngineFailure, void>> {
    const finished = await this.loading(async ({ ranges, acyclicTypes }, server) => {
      this.ranges = ranges;
      this.schema = withAcyclicTypes(this.schema, acyclicTypes);
      this.ids = new NodeIds(this.schema, ranges);
      await server.refreshNames();
      const [saved, indexed] = await Promise.all([server.save(), indexKeys(server, this.schema.nodeTables)]);
      return isLeft(saved) ? saved : indexed;
    });
    if (isLeft(finished)) return finished;
    this.closeLoader();
    this.supervisor.restartAfterCrash();
    return finished;
  }

  query(query: GraphQuery, client?: QueryClient): Promise<Either<QueryFailure, GraphAnswer>> {
    const ask = (request: GraphQuery) =>
      this.supervisor.query(request, (server, limited) => runQuery(server, limited, this.graph()), client);
    return computedAnswer({ schema: this.schema, analyse: this.preparation.analyse, ask }, query);
  }

  analyse(text: string): { readonly refusal: Refusal | null } {
    return { refusal: this.preparation.refusalOf(text) };
  }

  warningsOf(text: string): readonly string[] {
    return this.preparation.warnings(text, this.schema);
  }

  exportRows(
    query: GraphQuery,
    format: ExportFormat,
    client?: QueryClient,
  ): Promise<Either<QueryFailure, ExportedRows>> {
    return this.supervisor.query(
      query,
      (server, limited) => exportQuery(server, limited, this.graph(), format),
      client,
      (rows) => rows,
    );
  }

  writeNodes(write: NodeWrite): Promise<Either<EngineFailure, number>> {
    return this.supervisor.use(async (server) => {
      const key = this.schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
      if (key === undefined) return left({ kind: 'rejected', reason: `Unknown label ${write.label}.` });
      const first = this.ranges.find(({ label }) => label === write.label)?.first ?? 0;
      const files = this.files.get(write.label) ?? [];
      const session = await openDuckdb(this.duckdbLimits());
      const written = await numberNodes(session, 'numbers', { key, files, first })
        .then(() => writeNodes(server, session, write, 'numbers'))
        .finally(() => session.close());
      return this.keep(server, written, write);
    });
  }

  processIds(): readonly number[] {
    return this.supervisor.processIds();
  }

  async close(): Promise<void> {
    await this.supervisor.end();
  }

  private graph(): QueryGraph {
    const { schema, ids, preparation } = this;
    return { schema, ids, preparation };
  }

  private async launch(onSpawn: OnSpawn): Promise<Either<EngineFailure, RunningServer>> {
    if (this.programs === null) return left(NOT_STARTED);
    const started = await runServer({
      programs: this.programs,
      directory: this.directory,
      memoryBytes: this.podResources.limitBytes(),
      cpuCores: this.podResources.cores(),
      queriesAtOnce: MAX_QUERIES_AT_ONCE,
      maxRows: MAX_ROWS + 1,
      onSpawn,
    });
    if (isLeft(started)) return started;
    const indexed = await indexKeys(started.right, this.schema.nodeTables);
    return isLeft(indexed) ? indexed : started;
  }

  /** A server that ends during the load is not replaced: the load fails with the reason. */
  private loading<A>(
    step: (loader: BulkLoader, server: RunningServer) => Promise<Either<EngineFailure, A>>,
  ): Promise<Either<EngineFailure, A>> {
    return this.supervisor.use(async (server) => {
      if (this.loader === null) return left(NOT_STARTED);
      const done = await step(this.loader, server).catch((error: unknown) =>
        left<CallFailure>({ kind: 'crashed', reason: reasonOf(error) }),
      );
      if (!isLeft(done) || done.left.kind !== 'crashed') return done;
      return left({ kind: 'rejected', reason: `The server ended during the load (${await server.ended}).` });
    });
  }

  /** Only while no step of a load is in progress. */
  private closeLoader(): void {
    this.loader?.close();
    this.loader = null;
  }

  /**
   * Saves the writes. A partial write is discarded: the next server reads the saved graph, which does not contain it.
   */
  private async keep(
    server: RunningServer,
    written: Either<EngineFailure, number>,
    { label, property }: NodeWrite,
  ): Promise<Either<EngineFailure, number>> {
    if (isLeft(written)) {
      server.kill();
      return written;
    }
    await server.refreshNames();
    this.schema = withNodeProperty(this.schema, label, property);
    const saved = await server.save();
    if (!isLeft(saved)) return written;
    const reason = `The values were written to the nodes but could not be saved: ${saved.left.reason}. Start the run again.`;
    return left({ ...saved.left, reason });
  }

  private duckdbLimits() {
    const { directory, memoryBytes, cpuCores } = this.options;
    return { memoryBytes: memoryBytes / 8, threads: cpuCores, scratchDirectory: join(directory, 'engine-scratch') };
  }
}
