import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { MAX_BYTES, rowTooLarge } from '../answer-limits';
import { reasonOf, type CallFailure } from '../engine-failure';
import { type ExportColumn } from '../export/row-writer';
import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery } from '../query/analyse-query';
import { columnTitles } from '../query/column-titles';
import { answerColumns, type AnswerColumn } from './answer-columns';
import { UNKNOWN_YEAR } from './scalar-json';
import { type Connection } from './connection';
import { items, textOf, type Reply } from './resp';
import { type ValueEncoder } from './value-encoder';

/** Rows as JSON texts of their cells; the last ones of an answer, or more will come. */
export interface Arrived {
  readonly rows: readonly (readonly string[])[];
  readonly isLast: boolean;
}

/** Characters of rows to hand out together. */
const ENOUGH = 256 * 1024;

/** Takes the rows of a reply as they come, and lets the server wait while there are enough of them. */
export class ArrivedRows {
  private rows: (readonly string[])[] = [];
  private size = 0;
  private rowCount = 0;
  private header: readonly Reply[] = [];
  private columns: readonly AnswerColumn[] = [];
  private end: Either<CallFailure, Reply> | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly connection: Connection,
    private readonly query: AnalysedQuery,
    private readonly schema: GraphSchema,
    private readonly encoder: ValueEncoder,
  ) {}

  /** Sends a command whose reply has rows. */
  ask(command: readonly string[]): void {
    const take = (row: Reply, header: Reply): void => {
      try {
        if (this.end === null) this.take(row, items(header));
      } catch (error) {
        this.fail(reasonOf(error));
      }
    };
    void this.connection.send(command, take).then((reply) => {
      this.end ??= reply;
      this.wake();
    });
  }

  /** The next rows, as soon as there are enough or no more. */
  async next(): Promise<Either<CallFailure, Arrived>> {
    if (this.end === null && this.size < ENOUGH) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        this.connection.resume();
      });
    }
    if (this.end !== null && isLeft(this.end)) return this.end;
    const { rows } = this;
    this.rows = [];
    this.size = 0;
    return right({ rows, isLast: this.end !== null });
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

  private describe(header: readonly Reply[]): void {
    this.header = header;
    this.columns = answerColumns(header.length, this.query.result, this.schema, this.encoder);
  }

  private take(row: Reply, header: readonly Reply[]): void {
    if (this.rowCount++ === 0) this.describe(header);
    const cells = items(row).map((cell, index) => {
      const [type, value] = items(cell);
      return this.columns[index]?.encode(Number(type), value ?? null) ?? 'null';
    });
    const size = cells.reduce((sum, cell) => sum + cell.length, 0);
    if (size > MAX_BYTES) return this.fail(rowTooLarge(this.rowCount, size));
    if (this.encoder.lacksName) return this.fail('The graph was written to meanwhile; ask again.');
    if (this.encoder.hasUnknownYear) return this.fail(UNKNOWN_YEAR);
    this.rows.push(cells);
    this.size += size;
    if (this.size < ENOUGH) return;
    this.connection.pause();
    this.wake();
  }

  private fail(reason: string): void {
    this.end = left({ kind: 'rejected', reason });
    this.connection.close();
    this.wake();
  }
}
