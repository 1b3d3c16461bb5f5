import { type Value } from '../../../pod/graph/engine/evaluate/values';
import { type TextRules, valueText } from './value-text';

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Rows as a text that is the same for equal results; columns are compared by name. */
export const rowsText = ({ columns, rows }: Rows, rules: TextRules & { readonly inOrder: boolean }): string => {
  const places = columns
    .map((column, at) => [column.replace(/\s/g, ''), at] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map((row) => places.map(([, at]) => valueText(row[at] ?? null, rules)).join(' | '));
  return [places.map(([column]) => column).join(' | '), ...(rules.inOrder ? lines : lines.sort())].join('\n');
};
