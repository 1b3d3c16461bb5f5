import { type Answer } from '../proof/cypher/engine/ask-engine';
import { type Rows, rowsText } from '../proof/cypher/rows-text';
import { type ExpectedRows, type Question } from './question';

export const VERDICTS = ['right', 'wrong', 'refused', 'late', 'crashed', 'not asked'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const verdictOn = ({ expected }: Question, answer: Answer, asJson: boolean): Verdict => {
  if (answer.kind !== 'rows') return answer.kind === 'refused' && expected.kind === 'error' ? 'right' : answer.kind;
  return expected.kind === 'rows' && isSame(expected, answer, asJson) ? 'right' : 'wrong';
};

const isSame = (expected: ExpectedRows, answer: Rows, asJson: boolean): boolean => {
  if (expected.rows.length === 0 && answer.rows.length === 0) return true;
  const rules = { ...expected, asJson };
  return rowsText(expected, rules) === rowsText(answer, rules);
};
