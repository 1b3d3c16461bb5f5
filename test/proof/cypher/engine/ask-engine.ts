import { buffer } from 'node:stream/consumers';
import { isLeft } from 'fp-ts/Either';
import { isList, isMap, type Value, type ValueMap } from '../../../../pod/graph/engine/evaluate/values';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { valuesOfJson } from './json-value';

/** What an engine, or the evaluator, answers to a query. */
export type Answer =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Value[])[];
      /** Whether rows are missing. */
      readonly truncated?: boolean;
    }
  | { readonly kind: 'refused' | 'late' | 'crashed' | 'not asked'; readonly message: string };

/** Runs a query as `/query` does, through the gate. */
export const askEngine = async (
  engine: GraphEngine,
  text: string,
  parameters: ValueMap,
  timeoutMs = 20_000,
): Promise<Answer> => {
  const { refusal } = engine.analyse(text);
  if (refusal !== null) return { kind: 'refused', message: refusal.message };
  const json = Object.fromEntries([...parameters].map(([name, value]) => [name, jsonOf(value)]));
  const answer = await engine.query({ text, parameters: json, timeoutMs });
  if (isLeft(answer)) {
    const { left } = answer;
    if (left.kind === 'rejected') {
      return { kind: 'refused', message: [left.message, left.unexplained?.written ?? []].flat().join(' ') };
    }
    return { kind: left.kind === 'timeout' ? 'late' : 'crashed', message: JSON.stringify(left) };
  }
  const { columns, rowsJson, truncated } = answer.right;
  return { kind: 'rows', columns, rows: valuesOfJson(rowsJson), truncated };
};

/** Runs a query as an export does; `columns`: those that it has, also without rows. */
export const askExport = async (
  engine: GraphEngine,
  text: string,
  parameters: ValueMap,
  columns: readonly string[],
): Promise<Answer> => {
  const json = Object.fromEntries([...parameters].map(([name, value]) => [name, jsonOf(value)]));
  const rows = await engine.exportRows({ text, parameters: json, timeoutMs: 20_000 }, 'ndjson');
  if (isLeft(rows)) return { kind: 'refused', message: JSON.stringify(rows.left) };
  const lines = (await buffer(rows.right)).toString().split('\n').slice(0, -1);
  const found = valuesOfJson(`[${lines.map((line) => `[${line}]`).join(',')}]`);
  const cells = found.flatMap(([row = null]) => (isMap(row) ? [columns.map((column) => row.get(column) ?? null)] : []));
  return { kind: 'rows', columns, rows: cells };
};

/** A value as a parameter has it. */
export const jsonOf = (value: Value): unknown => {
  if (isList(value)) return value.map(jsonOf);
  return isMap(value) ? Object.fromEntries([...value].map(([key, item]) => [key, jsonOf(item)])) : value;
};
