import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_BYTES } from '../../answer-limits';
import { type ColumnType } from '../../column-type';
import { noExactProperties, ValueEncoder, type EncodingContext } from './value-encoder';
import { propertyColumnName, wholeColumnName, type ExactPlan, type ResultColumn } from './exact-columns';
import { mayRoundUnseen } from './exact-type';

export type RawRow = Readonly<Record<string, unknown>>;

/** Makes JSON texts of values, and notes which have to be fetched exactly first. */
export interface RowEncoder {
  /** One per column. */
  readonly cells: readonly ((row: RawRow) => string)[];
  /** What has to be fetched exactly before the rows can be answered; empty while they are right. */
  readonly needs: ExactPlan;
}

export const rowEncoder = (columns: readonly ResultColumn[], plan: ExactPlan, context: EncodingContext): RowEncoder => {
  const needs = new Map<number, 'whole' | Map<string, ColumnType>>();
  return { needs, cells: columns.map((column, index) => columnEncoder(column, index, plan, context, needs)) };
};

export interface EncodedRows {
  /** JSON texts of the rows that fit. */
  readonly rows: readonly string[];
  /** The first row that does not fit, though it were alone. */
  readonly tooLarge: { readonly row: number; readonly bytes: number } | null;
}

const ROWS_PER_TURN = 2_000;

/** Encodes rows as JSON arrays, as many as an answer may hold. */
export const encodeRows = async (rows: readonly RawRow[], { cells }: RowEncoder): Promise<EncodedRows> => {
  const encoded: string[] = [];
  let total = 0;
  for (const [at, row] of rows.entries()) {
    const text = `[${cells.map((encode) => encode(row)).join(',')}]`;
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > MAX_BYTES) return { rows: encoded, tooLarge: { row: at + 1, bytes } };
    total += bytes;
    if (total > MAX_BYTES) break;
    encoded.push(text);
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
  }
  return { rows: encoded, tooLarge: null };
};

const columnEncoder = (
  { name, type }: ResultColumn,
  index: number,
  plan: ExactPlan,
  context: EncodingContext,
  needs: Map<number, 'whole' | Map<string, ColumnType>>,
): ((row: RawRow) => string) => {
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
