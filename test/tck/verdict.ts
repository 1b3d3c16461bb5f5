import { type Answer } from '../proof/cypher/engine/ask-engine';
import { type Value } from '../proof/cypher/values';
import { type ExpectedRows, type Question } from './question';
import { type TextRules, valueText } from '../proof/cypher/value-text';

export const VERDICTS = ['right', 'wrong', 'warned', 'refused', 'crashed', 'not asked'] as const;
/** `wrong`: without notice; `warned`: wrong, with a warning. */
export type Verdict = (typeof VERDICTS)[number];

export const verdictOn = ({ expected }: Question, answer: Answer, asJson: boolean): Verdict => {
  if (answer.kind !== 'rows') return answer.kind === 'refused' && expected.kind === 'error' ? 'right' : answer.kind;
  const isRight = expected.kind === 'rows' && isSame(expected, answer, asJson);
  return isRight ? 'right' : answer.warnings.length > 0 ? 'warned' : 'wrong';
};

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

const isSame = (expected: ExpectedRows, answer: Rows, asJson: boolean): boolean => {
  if (expected.rows.length === 0 && answer.rows.length === 0) return true;
  return rowsText(expected, expected, asJson) === rowsText(answer, expected, asJson);
};

/** Rows as a text that is the same for results that are equal, as the expected result compares them. */
export const rowsText = (
  { columns, rows }: Rows,
  { inOrder, anyOrderInLists }: ExpectedRows,
  asJson: boolean,
): string => {
  const rules: TextRules = { asJson, anyOrderInLists };
  const places = columns
    .map((column, at) => [column.replace(/\s/g, ''), at] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map((row) => places.map(([, at]) => valueText(row[at] ?? null, rules)).join(' | '));
  return [places.map(([column]) => column).join(' | '), ...(inOrder ? lines : lines.sort())].join('\n');
};
