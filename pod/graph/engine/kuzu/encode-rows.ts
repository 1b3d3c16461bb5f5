import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ColumnType } from '../column-type';
import { noExactProperties, ValueEncoder, type EncodingContext } from './value-encoder';
import { propertyColumnName, wholeColumnName, type ExactPlan, type ResultColumn } from './exact-columns';
import { mayRoundUnseen } from './exact-type';

export type RawRow = Readonly<Record<string, unknown>>;

export interface EncodedRows {
  /** JSON texts of the rows that fit. */
  readonly rows: readonly string[];
  /** What has to be fetched exactly before the rows can be answered; empty when they are right. */
  readonly needs: ExactPlan;
}

const ROWS_PER_TURN = 2_000;

/** Encodes rows as JSON arrays, up to a number of bytes. */
export const encodeRows = async (
  rows: readonly RawRow[],
  columns: readonly ResultColumn[],
  plan: ExactPlan,
  context: EncodingContext,
  mostBytes: number,
): Promise<EncodedRows> => {
  const needs = new Map<number, 'whole' | Map<string, ColumnType>>();
  const encoders = columns.map((column, index) => columnEncoder(column, index, plan, context, needs));
  const encoded: string[] = [];
  let bytes = 0;
  for (const [at, row] of rows.entries()) {
    const text = `[${encoders.map((encode) => encode(row)).join(',')}]`;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > mostBytes) break;
    encoded.push(text);
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
  }
  return { rows: encoded, needs };
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
