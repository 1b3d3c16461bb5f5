import { type AnalysedQuery } from '../../query/analyse-query';

/** Never computed while the engine plans, so nothing is compared with their values there. */
const AGGREGATES = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'COLLECT']);

/**
 * Whether the engine skips the right blocks of a table. It compares the least and largest value of each block with
 * constants, and reads a constant of another type than the column's as if it were of that type: a fraction beside an
 * integer, a time beside a date. So it has to look at all blocks when a text has such constants or may compute some.
 */
export const skipsRightBlocks = ({ tokens }: AnalysedQuery): boolean =>
  !tokens.some(({ kind, text, upper, role }, index) => {
    if (kind === 'number') return /^[^xX]*[.eE]/.test(text);
    if (tokens[index + 1]?.text !== '(') return text === '^';
    return kind === 'quoted_name' || (role === 'name' && !AGGREGATES.has(upper));
  });
