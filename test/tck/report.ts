import { type Answer } from '../proof/cypher/engine/ask-engine';
import { rowsText } from '../proof/cypher/rows-text';
import { grouped } from './grouped';
import { type Question } from './question';
import { type Verdict, VERDICTS } from './verdict';

export interface Asked {
  readonly question: Question;
  readonly answer: Answer;
  readonly verdict: Verdict;
}

/** A table by folder of how many scenarios were right, wrong, …; `elsewhere`: what other systems answered. */
export const tableText = (asked: readonly Asked[], elsewhere: readonly Asked[]): string => {
  const rightElsewhere = new Set(elsewhere.flatMap(({ verdict, question }) => (verdict === 'right' ? [question] : [])));
  const line = (title: string, each: readonly Asked[]): string => {
    const count = (verdict: Verdict): number => each.filter((one) => one.verdict === verdict).length;
    const answerable = each.filter(({ verdict, question }) => verdict === 'refused' && rightElsewhere.has(question));
    return lineText([title, each.length, ...VERDICTS.map(count), answerable.length]);
  };
  const parts: readonly (readonly [string, (question: Question) => boolean])[] = [
    ['Expect rows', ({ expected, isTemporal }) => expected.kind === 'rows' && !isTemporal],
    ['Expect rows, with dates or times', ({ expected, isTemporal }) => expected.kind === 'rows' && isTemporal],
    ['Expect an error', ({ expected }) => expected.kind === 'error'],
  ];
  return parts
    .map(([title, belongs]) => {
      const of = asked.filter(({ question }) => belongs(question));
      const folders = grouped(of, ({ question }) => question.file.split('/').slice(0, -1).join('/'));
      const lines = [...folders].map(([folder, each]) => line(folder, each));
      return [lineText([title, 'scenarios', ...VERDICTS, 'elsewhere']), ...lines, line('all', of)].join('\n');
    })
    .join('\n\n');
};

const lineText = ([title = '', ...counts]: readonly (string | number)[]): string =>
  String(title).padEnd(36) + counts.map((count) => String(count).padStart(10)).join('');

/** A scenario with its expected result and the answer. */
export const differenceText = ({ question, answer, verdict }: Asked, asJson: boolean): string => {
  const { file, name, query, expected } = question;
  const wanted = expected.kind === 'rows' ? rowsText(expected, { ...expected, asJson }) : expected.error;
  const rules = { ...(expected.kind === 'rows' ? expected : ANY_ROWS), asJson };
  const found = answer.kind === 'rows' ? rowsText(answer, rules) : answer.message;
  return `${verdict}: ${file}: ${name}\n${query}\nexpected: ${wanted}\nanswer: ${found}`;
};

const ANY_ROWS = { inOrder: true, anyOrderInLists: false };
