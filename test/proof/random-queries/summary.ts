import { type Outcome, OUTCOMES } from '../cypher/engine/compared-answer';

/** A query and its outcome. */
export interface Counted {
  readonly outcome: Outcome;
  readonly family: string;
}

/** A table of the number of queries of each family with each outcome, and of the percentages of all queries. */
export const summaryOf = (all: readonly Counted[]): string => {
  const counts = (some: readonly Counted[]): readonly number[] =>
    OUTCOMES.map((outcome) => some.filter((each) => each.outcome === outcome).length);
  const line = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(40), ...cells.map((cell, at) => String(cell).padStart((OUTCOMES[at]?.length ?? 0) + 3))].join('');
  const total = counts(all);
  return [
    line(`of ${all.length} queries`, OUTCOMES),
    ...[...new Set(all.map(({ family }) => family))].map((family) =>
      line(
        family,
        counts(all.filter((each) => each.family === family)).map((count) => (count === 0 ? '' : count)),
      ),
    ),
    line('all', total),
    line(
      'of a hundred',
      total.map((count) => ((count * 100) / all.length).toFixed(2)),
    ),
  ].join('\n');
};
