import { isLeft } from 'fp-ts/Either';
import { refusing } from '../../pod/graph/engine/cypher/analyse-query';
import { cypherTokens } from '../../pod/graph/engine/cypher/cypher-tokens';
import { type Value, type ValueMap } from '../../pod/graph/engine/evaluate/values';
import { expectedValue } from './expected-value';
import { type Scenario } from './feature-file';

/** A scenario that only reads. */
export interface Question {
  readonly file: string;
  readonly name: string;
  /** Statements that make the graph. */
  readonly setup: readonly string[];
  readonly query: string;
  readonly parameters: ValueMap;
  /** Whether it contains dates, times or durations. */
  readonly isTemporal: boolean;
  readonly expected: ExpectedRows | { readonly kind: 'error'; readonly error: string };
}

export interface ExpectedRows {
  readonly kind: 'rows';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly inOrder: boolean;
  readonly anyOrderInLists: boolean;
}

/** The question of a scenario; null if it writes, calls a procedure of its own, or needs a missing graph. */
export const questionOf = ({ file, name, steps }: Scenario, graphs: ReadonlyMap<string, string>): Question | null => {
  const setup: string[] = [];
  let [query, parameters]: [string | null, ValueMap] = [null, new Map()];
  let expected: Question['expected'] | null = null;
  for (const { text, block, table } of steps) {
    const graph = /^the (\S+) graph$/.exec(text)?.[1];
    if (graph !== undefined) setup.push(graphs.get(graph) ?? '');
    else if (text.startsWith('having executed')) setup.push(block ?? '');
    else if (text.startsWith('executing query')) query = block;
    else if (text.startsWith('parameters are'))
      parameters = new Map(table.map(([key = '', value = 'null']) => [key, expectedValue(value)]));
    else if (text.startsWith('there exists a procedure')) return null;
    else expected ??= expectedAt(text, table);
  }
  if (query === null || expected === null || setup.includes('') || isWriting(query)) return null;
  const isTemporal = /temporal\//.test(file) || TEMPORAL.test([query, ...setup].join(' '));
  return { file, name, setup, query, parameters, isTemporal, expected };
};

const TEMPORAL = /\b(?:date|time|localtime|datetime|localdatetime|duration)\s*(?:\.\s*\w+\s*)?\(/i;

const expectedAt = (text: string, table: readonly (readonly string[])[]): Question['expected'] | null => {
  const error = /^an? (\S+ should be raised.*)$/.exec(text)?.[1];
  if (error !== undefined) return { kind: 'error', error };
  if (!text.startsWith('the result should be')) return null;
  const [columns = [], ...rows] = table;
  return {
    kind: 'rows',
    columns,
    rows: rows.map((row) => row.map(expectedValue)),
    inOrder: text.includes('in order'),
    anyOrderInLists: text.includes('ignoring element order'),
  };
};

const WRITING = new Set(['CREATE', 'MERGE', 'SET', 'DELETE', 'REMOVE', 'FOREACH']);

const isWriting = (query: string): boolean => {
  const tokens = refusing(query, () => cypherTokens(query));
  return isLeft(tokens)
    ? /\b(?:CREATE|MERGE|SET|DELETE|REMOVE)\b/.test(query)
    : tokens.right.some(({ kind, upper }) => kind === 'word' && WRITING.has(upper));
};
