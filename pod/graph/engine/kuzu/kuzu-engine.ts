import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type EngineFailure } from '../engine-failure';
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
import { ofEngineAlone } from '../memory-watchdog';
import { withNodeProperty, type GraphSchema } from '../graph-schema';
import { createQueryCache } from '../query/analyse-query';
import { type DatabaseOptions } from './process/kuzu-database';
import { analyseKuzuQuery } from './analyse/analyse-kuzu-query';
import { startKuzuProcess, type KuzuProcess } from './process/kuzu-process';
import { type EngineCallName, type EngineCalls } from './process/protocol';
import { unmatchableStep, walkWarnings } from './analyse/patterns-in-graph';

const SMALLEST_POOL_BYTES = 64 * 1024 * 1024;
/** A query gets all workers of the engine but one and keeps them to its end; a second one gets the last. */
const QUERIES_AT_WORK = Math.min(2, availableParallelism());

/** Kuzu, an embedded database, in a child process that is restarted on the files of the loaded database. */
export class KuzuEngine implements GraphEngine {
  readonly kind = 'graphdb_a';
  readonly analyse = createQueryCache(analyseKuzuQuery);
  readonly procedures = null;
  /** Values after NaN may be lost, see `losesNumbers`; the order of edges and of nested values cannot be chosen. */
  readonly storesNaN = 'node properties';
  /** An infinite DATE becomes the last possible day, an infinite TIMESTAMP fails. */
  readonly storesInfiniteTimes = false;
  readonly storesSmallestValues = false;
  readonly storesZeroCharacters = true;
  private readonly database: Omit<DatabaseOptions, 'bufferPoolBytes'>;
  private readonly supervisor: EngineSupervisor<KuzuProcess>;
  private schema: GraphSchema | null = null;

  constructor({ directory, memoryBytes, cpuCores, onCrash, podMemory = ofEngineAlone(memoryBytes) }: EngineOptions) {
    this.database = { path: join(directory, 'graph.kuzu'), threads: Math.max(1, Math.floor(cpuCores)) };
    this.supervisor = new EngineSupervisor({
      onCrash,
      podMemory,
      endOverdueAfterMs: 500,
      worksOn: QUERIES_AT_WORK,
      launch: async (onSpawn) => {
        const started = startKuzuProcess();
        if (isLeft(started)) return started;
        onSpawn(started.right);
        const bufferPoolBytes = Math.max(SMALLEST_POOL_BYTES, Math.floor(podMemory.limitBytes() / 2));
        const opened = await started.right.call('open', { ...this.database, bufferPoolBytes }, this.schema);
        return isLeft(opened) ? opened : started;
      },
    });
  }

  async start() {
    await this.supervisor.end();
    for (const suffix of ['', '.wal', '.shadow', '.tmp']) {
      await rm(this.database.path + suffix, { recursive: true, force: true });
    }
    this.schema = null;
    return this.supervisor.start();
  }

  async createSchema(schema: GraphSchema) {
    const created = await this.call('createSchema', schema);
    if (!isLeft(created)) this.schema = schema;
    return created;
  }

  load(kind: TableKind, table: string, parquetFiles: readonly string[]) {
    return this.call('load', kind, table, parquetFiles);
  }

  async finishLoading() {
    const finished = await this.call('finishLoading');
    if (isLeft(finished)) return finished;
    if (finished.right !== null) return left({ kind: 'unstorable' as const, reason: finished.right });
    this.supervisor.restartAfterCrash();
    return right(undefined);
  }

  async query(query: GraphQuery, client?: QueryClient) {
    const refusal = this.refusalOf(query);
    if (refusal !== null) return left(refusal);
    return this.supervisor.query(
      query,
      async (process, limited) => {
        const answer = await process.call('query', limited);
        if (isLeft(answer)) return left({ kind: 'crashed', message: answer.left.reason });
        return isLeft(answer.right) ? answer.right : right(this.withWarnings(query.text, answer.right.right));
      },
      client,
    );
  }

  async exportRows(query: GraphQuery, format: ExportFormat, client?: QueryClient) {
    const refusal = this.refusalOf(query);
    if (refusal !== null) return left(refusal);
    return this.supervisor.query(
      query,
      async (process, limited) => {
        const opened = await process.call('openExport', limited, format);
        if (isLeft(opened)) return left({ kind: 'crashed', message: opened.left.reason });
        return isLeft(opened.right) ? opened.right : right(rowsOf(process, opened.right.right));
      },
      client,
      (rows) => rows,
    );
  }

  async writeNodes(write: NodeWrite) {
    const written = await this.call('writeNodes', write);
    if (!isLeft(written) && this.schema !== null) {
      this.schema = withNodeProperty(this.schema, write.label, write.property);
    }
    return written;
  }

  processIds() {
    return this.supervisor.processIds();
  }

  close() {
    return this.supervisor.end();
  }

  private refusalOf({ text }: GraphQuery): QueryFailure | null {
    const refusal = this.schema === null ? null : unmatchableStep(this.analyse(text), this.schema);
    return refusal === null ? null : { kind: 'rejected', ...refusal };
  }

  warningsOf(text: string) {
    return this.schema === null ? [] : walkWarnings(this.analyse(text), this.schema);
  }

  private withWarnings(text: string, answer: GraphAnswer): GraphAnswer {
    const warnings = this.warningsOf(text);
    return warnings.length === 0 ? answer : { ...answer, warnings };
  }

  private call<N extends EngineCallName>(
    name: N,
    ...parameters: Parameters<EngineCalls[N]>
  ): Promise<Either<EngineFailure, ReturnType<EngineCalls[N]>>> {
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
