import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer } from '../graph-engine';
import { type BoundSelect } from './database-calls';
import { type GraphConnection } from './graph-connection';
import { type GraphDatabase } from './graph-database';
import { type ExportReader, exportReader, readAnswer, RowsMissing } from './result-rows';

interface RunningQuery {
  /** Null while it waits for one. */
  connection: GraphConnection | null;
  isInterrupted: boolean;
  exported: ExportReader | null;
}

/** The queries in this process, by number, each on a connection of its own. */
export class RunningQueries {
  private readonly running = new Map<number, RunningQuery>();

  constructor(private readonly database: GraphDatabase) {}

  answer(query: number, select: BoundSelect): Promise<GraphAnswer> {
    return this.whole(query, async (connection) => {
      try {
        return await readAnswer(await connection.rows(select, false), select);
      } catch (error) {
        if (!(error instanceof RowsMissing)) throw error;
        // It reports what failed.
        return readAnswer(await connection.rows(select, true), select);
      }
    });
  }

  explain(query: number, select: BoundSelect, analyze: boolean): Promise<string> {
    return this.whole(query, (connection) => connection.explain(select, analyze));
  }

  async beginExport(query: number, select: BoundSelect, format: ExportFormat): Promise<Uint8Array | null> {
    const [running, connection] = await this.begin(query);
    running.exported = await exportReader(await connection.rows(select, true), select, format);
    return running.exported();
  }

  async nextOfExport(query: number): Promise<Uint8Array | null> {
    return (await this.running.get(query)?.exported?.()) ?? null;
  }

  async end(query: number): Promise<void> {
    const connection = this.running.get(query)?.connection ?? null;
    this.running.delete(query);
    if (connection !== null) await this.database.giveBack(connection);
  }

  interrupt(query: number): void {
    const running = this.running.get(query);
    if (running === undefined) return;
    running.isInterrupted = true;
    running.connection?.interrupt();
  }

  private async begin(query: number): Promise<readonly [RunningQuery, GraphConnection]> {
    const running: RunningQuery = { connection: null, isInterrupted: false, exported: null };
    this.running.set(query, running);
    const connection = await this.database.take();
    running.connection = connection;
    if (running.isInterrupted) connection.interrupt();
    return [running, connection];
  }

  private async whole<A>(query: number, use: (connection: GraphConnection) => Promise<A>): Promise<A> {
    try {
      return await use((await this.begin(query))[1]);
    } finally {
      await this.end(query);
    }
  }
}
