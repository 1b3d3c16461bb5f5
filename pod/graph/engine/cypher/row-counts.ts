import { missingParameter, QueryFault } from './query-fault';
import { type Expression, type Query } from './tree';
import { clausesIn, expressionsIn } from './walk';

/** The number of SKIP or LIMIT as digits. Throws a `QueryFault` for any other value. */
export const rowCount = (
  value: Expression,
  word: 'SKIP' | 'LIMIT',
  parameters: Readonly<Record<string, unknown>>,
): string => {
  const number = value.kind === 'parameter' ? parameters[value.name] : null;
  if (number === undefined && value.kind === 'parameter')
    throw new QueryFault(missingParameter(value.name), value.start);
  const digits = value.kind === 'number' ? value.text : typeof number === 'bigint' ? String(number) : '';
  if (/^\d+$/.test(digits)) return digits;
  throw new QueryFault(`${word} needs an integer of at least 0.`, value.start);
};

/** Throws a `QueryFault` for a wrong number of SKIP or LIMIT, unless it is a matter of chance. */
export const checkRowCounts = (query: Query, parameters: Readonly<Record<string, unknown>>): void => {
  for (const clause of clausesIn(query)) {
    if (!('limit' in clause)) continue;
    for (const [value, word] of [
      [clause.skip, 'SKIP'],
      [clause.limit, 'LIMIT'],
    ] as const)
      if (value !== null && !expressionsIn(value).some(({ kind }) => kind === 'call'))
        rowCount(value, word, parameters);
  }
};
