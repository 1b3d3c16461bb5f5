import { type Either, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { AnswerFault } from '../../engine-failure';
import { type GraphAnswer, MAX_BYTES, MAX_ROWS, rowTooLarge } from '../../graph-engine';
import { answerTypeName, type ColumnType } from '../../graph-schema';
import { createRowWriter } from '../../export/create-row-writer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  forEachRow,
  nextRow,
  ROWS_PER_TURN,
  type Connection,
  type QueryResult,
  type Row,
  type StatementFailure,
} from '../binding/binding';
import { isAlwaysExact, mayRoundUnseen } from '../binding/kuzu-type';
import { mayHoldEntities, type EntityIds } from './entity-ids';
import { propertyColumnName, wholeColumnName, type ExactPlan, type ResultColumn } from '../binding/exact-plan';
import { noExactProperties, ValueEncoder, type EncodingContext } from './value-encoder';

/** The context for encoding the values of an answer. */
export interface QueryGraph extends EncodingContext {
  readonly ids: EntityIds;
}

/** A result with the data needed to read it. */
interface OpenedResult {
  readonly result: QueryResult;
  readonly columns: readonly ResultColumn[];
  /** The titles of the columns. */
  readonly names: readonly string[];
  readonly plan: ExactPlan;
  readonly graph: QueryGraph;
  readonly connection: Connection;
}

/** Reads an answer from a result, and closes the result immediately or later. */
export type ReadResult<A> = (opened: OpenedResult) => Promise<Either<StatementFailure, A>>;

/** Reads an answer in JSON from the first rows of a result. */
export const readAnswer: ReadResult<GraphAnswer> = async (opened) => {
  const rows = new ResultRows(opened, MAX_ROWS);
  const texts: string[] = [];
  let bytes = 0;
  await rows.read((cells) => {
    const text = `[${cells.join(',')}]`;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes <= MAX_BYTES) texts.push(text);
    return bytes <= MAX_BYTES && texts.length < MAX_ROWS;
  });
  if (rows.needs.size > 0) return left({ kind: 'inexact', needs: rows.needs, columns: opened.columns });
  const total = opened.result.getNumTuples();
  opened.result.close();
  return right({
    columns: opened.names,
    columnTypes: opened.columns.map(({ type }) => answerTypeName(type)),
    rowsJson: `[${texts.join(',')}]`,
    rowCount: texts.length,
    truncated: texts.length < total,
  });
};

/** An open export. */
export interface KuzuExport {
  /** The next chunk, null after the last one. Throws if a row cannot be exported. */
  readonly read: () => Promise<Uint8Array | null>;
  readonly close: () => void;
}

/** Size of one chunk, which its last row may exceed. */
const PIECE_BYTES = 256 * 1024;
const EXPORTED_ROWS_LOOKED_UP_AT_ONCE = 10_000;

/** Reads a result from its first row to its last. Fails if the first chunk cannot be created. */
export const readExport =
  (format: ExportFormat): ReadResult<KuzuExport> =>
  async (opened) => {
    const rows = new ResultRows(opened, EXPORTED_ROWS_LOOKED_UP_AT_ONCE);
    await rows.findNeeds();
    if (rows.needs.size > 0) return left({ kind: 'inexact', needs: rows.needs, columns: opened.columns });
    const { columns, names, result } = opened;
    const described = columns.map(({ type }, index) => ({ name: names[index] ?? '', type: answerTypeName(type) }));
    const writer = await createRowWriter(format, described);
    const add = (cells: readonly string[]): boolean => {
      writer.add(cells);
      return writer.size() < PIECE_BYTES;
    };
    let isAtEnd = false;
    const readNext = async (): Promise<Uint8Array | null> => {
      if (isAtEnd) return null;
      isAtEnd = !(await rows.read(add));
      return isAtEnd ? writer.end() : writer.take();
    };
    let first = await readNext();
    const read = (): Promise<Uint8Array | null> => {
      const piece = first === null ? readNext() : Promise.resolve(first);
      first = null;
      return piece;
    };
    return right({ read, close: () => result.close() });
  };

type CellEncoder = (row: Row) => string;
type Needs = Map<number, 'whole' | Map<string, ColumnType>>;

/** Reads the rows of a result in order, as JSON texts of their cells. */
export class ResultRows {
  readonly #needs: Needs = new Map();
  readonly #cells: readonly CellEncoder[];
  readonly #hasEntities: boolean;
  /** Rows whose nodes were looked up. */
  #ahead: readonly Row[] = [];
  #nextAhead = 0;
  #rowCount = 0;

  /** `lookedUpAtOnce`: number of rows whose nodes are looked up together; each lookup may scan their tables. */
  constructor(
    private readonly opened: OpenedResult,
    private readonly lookedUpAtOnce: number,
  ) {
    const { columns, plan, graph } = opened;
    this.#cells = columns.map((column, index) => cellEncoder(column, index, plan, graph, this.#needs));
    this.#hasEntities = columns.some(mayHoldEntities);
  }

  /** The values to fetch exactly before the rows read so far can be returned; empty while they are exact. */
  get needs(): ExactPlan {
    return this.#needs;
  }

  /** Passes rows to `take` until it returns false; returns false after the last row. Throws if a row is too large. */
  async read(take: (cells: readonly string[]) => boolean): Promise<boolean> {
    for (;;) {
      const row = this.#hasEntities ? await this.#nextLookedUp() : nextRow(this.opened.result);
      if (row === null) return false;
      const cells = this.#cells.map((encode) => encode(row));
      this.#rowCount++;
      const bytes = rowBytes(cells);
      if (bytes > MAX_BYTES) throw new AnswerFault(rowTooLarge(this.#rowCount, bytes));
      const takesMore = take(cells);
      if (this.#rowCount % ROWS_PER_TURN === 0) await nextTurn();
      if (!takesMore) return true;
    }
  }

  /**
   * Reads all rows once to find their needs, and starts over, because exported rows cannot be changed afterwards. Reads
   * only columns whose values may be rounded.
   */
  async findNeeds(): Promise<void> {
    const { columns, plan, graph, result } = this.opened;
    if (this.#needs.size > 0 || columns.every(({ type }) => isAlwaysExact(type))) return;
    const context = { ...graph, idOf: () => '""' };
    const inDoubt = columns.flatMap((column, index) =>
      isAlwaysExact(column.type) ? [] : [cellEncoder(column, index, plan, context, this.#needs)],
    );
    await forEachRow(result, (row) => inDoubt.forEach((encode) => encode(row)));
    result.resetIterator();
  }

  async #nextLookedUp(): Promise<Row | null> {
    if (this.#nextAhead === this.#ahead.length) {
      const { result, columns, graph, connection } = this.opened;
      const rows: Row[] = [];
      await forEachRow(result, (row) => rows.push(row), this.lookedUpAtOnce);
      await graph.ids.lookUp(rows, columns, connection);
      this.#ahead = rows;
      this.#nextAhead = 0;
    }
    return this.#ahead[this.#nextAhead++] ?? null;
  }
}

/** Size of a row in the JSON array; except for very long rows the number of characters is exact enough. */
const rowBytes = (cells: readonly string[]): number => {
  const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
  if (characters * 3 < MAX_BYTES) return characters;
  return cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
};

const cellEncoder = (
  { name, type }: ResultColumn,
  index: number,
  plan: ExactPlan,
  context: EncodingContext,
  needs: Needs,
): CellEncoder => {
  const needWhole = (): unknown => needs.set(index, 'whole');
  const encoder = new ValueEncoder(context, {
    value: needWhole,
    property: (key, propertyType) => {
      const known = needs.get(index);
      if (known === 'whole') return;
      needs.set(index, (known ?? new Map<string, ColumnType>()).set(key, propertyType));
    },
  });
  const need = plan.get(index);
  if (need === undefined && mayRoundUnseen(type)) needWhole();
  const source = need === 'whole' ? wholeColumnName(index) : name;
  if (need === undefined || need === 'whole') return (row) => encoder.encode(row[source], type);
  return (row) => {
    const exactAt = need.size === 0 ? noExactProperties : (key: string) => row[propertyColumnName(index, key)];
    return encoder.encode(row[source], type, exactAt);
  };
};
