import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { MAX_BYTES, rowTooLarge } from '../graph-engine';
import { reasonOf, type CallFailure } from '../engine-failure';
import { type ExportColumn } from '../export/row-writer';
import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery } from '../query/analyse-query';
import { columnTitles } from '../query/result-shape';
import { answerColumns, type AnswerColumn } from './answer-columns';
import { type Connection } from './connection';
import { type NodeIds } from './node-ids';
import { items, textOf, type Reply } from './resp';
import { type RunningServer } from './running-server';
import { UNKNOWN_YEAR } from './scalar-json';
import { ID_MARKS, ValueEncoder } from './value-encoder';

/** What a query runs on. */
export interface QueryGraph {
  readonly schema: GraphSchema;
  readonly ids: NodeIds;
}

/** The cells of a row as JSON texts. */
export type Row = readonly string[];

/** Bytes of rows that are read together. */
const BATCH_BYTES = 256 * 1024;

/** Reads the rows of one query in batches. The server waits while a batch is complete and not requested. */
export class QueryRows {
  private readonly encoder: ValueEncoder;
  private rows: Row[] = [];
  /** Rows with names that are newer than those read from the server. */
  private unnamed: Reply[] = [];
  private size = 0;
  private rowCount = 0;
  private header: readonly Reply[] = [];
  private columns: readonly AnswerColumn[] = [];
  private end: Either<CallFailure, Reply> | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly server: RunningServer,
    private readonly connection: Connection,
    private readonly query: AnalysedQuery,
    private readonly graph: QueryGraph,
  ) {
    this.encoder = new ValueEncoder(graph.schema, server.names);
  }

  /** Sends a command whose reply has rows. */
  send(command: readonly string[]): void {
    const take = (row: Reply, header: Reply): void => {
      if (this.end !== null) return;
      if (this.header.length === 0) this.describe(items(header));
      if (this.unnamed.length > 0) this.unnamed.push(row);
      else this.take(row);
    };
    void this.connection.send(command, take).then((reply) => {
      this.end ??= reply;
      this.wake();
    });
  }

  /** The next rows, null after the last. */
  async next(): Promise<Either<CallFailure, readonly Row[] | null>> {
    if (this.end === null && this.size < BATCH_BYTES) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        this.connection.resume();
      });
    }
    if (this.unnamed.length > 0) await this.takeUnnamed();
    if (this.end !== null && isLeft(this.end)) return this.end;
    const { rows, end } = this;
    [this.rows, this.size] = [[], 0];
    return rows.length === 0 && end !== null ? right(null) : this.withIds(rows);
  }

  /** Known with the first rows; types are those of the values so far. */
  described(): readonly ExportColumn[] {
    if (this.header.length === 0 && this.end !== null && !isLeft(this.end)) {
      this.describe(items(items(this.end.right)[0]));
    }
    const names = this.header.map((column) => textOf(items(column)[1]));
    const types = this.columns.map((column) => column.typeName());
    return columnTitles(this.query, names).map((name, index) => ({ name, type: types[index] ?? 'ANY' }));
  }

  /** Gives up rows that were not read. */
  close(): void {
    if (this.end === null) this.connection.close();
    this.server.release(this.connection);
  }

  private describe(header: readonly Reply[]): void {
    this.header = header;
    this.columns = answerColumns(header.length, this.query.result, this.graph.schema, this.encoder);
  }

  private take(row: Reply): void {
    try {
      const cells = items(row).map((cell, index) => {
        const [type, value] = items(cell);
        return this.columns[index]?.encode(Number(type), value ?? null) ?? 'null';
      });
      if (this.encoder.lacksName) this.unnamed.push(row);
      else this.add(cells);
    } catch (error) {
      this.fail(reasonOf(error));
    }
    if (this.size < BATCH_BYTES && this.unnamed.length === 0) return;
    this.connection.pause();
    this.wake();
  }

  private add(cells: Row): void {
    this.rowCount++;
    const size = cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
    if (size > MAX_BYTES) return this.fail(rowTooLarge(this.rowCount, size));
    if (this.encoder.hasUnknownYear) return this.fail(UNKNOWN_YEAR);
    this.rows.push(cells);
    this.size += size;
  }

  private async takeUnnamed(): Promise<void> {
    await this.server.refreshNames();
    this.encoder.lacksName = false;
    for (const row of this.unnamed.splice(0)) this.take(row);
    if (this.unnamed.length > 0) this.fail('The server returned a name that it does not list.');
  }

  /** Edges have the ids of their ends, which may be in no row. */
  private async withIds(rows: readonly Row[]): Promise<Either<CallFailure, readonly Row[]>> {
    const { needed, ids } = this.encoder.takeIds();
    if (needed.size === 0) return right(rows);
    const missing = [...needed].filter((number) => !ids.has(number));
    const found = await this.graph.ids.resolve(missing, this.server);
    if (isLeft(found)) return found;
    const idOf = (_: string, number: string): string =>
      ids.get(Number(number)) ?? found.right.get(Number(number)) ?? 'null';
    return right(rows.map((row) => row.map((cell) => cell.replace(ID_MARKS, idOf))));
  }

  private fail(reason: string): void {
    this.end = left({ kind: 'rejected', reason });
    this.connection.close();
    this.wake();
  }
}
