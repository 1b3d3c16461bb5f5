import { type Kernel, type LibraryAlgorithm } from './algorithm';
import { KERNELS } from './kernel-registry';
import { LIBRARY_ALGORITHMS } from './library/library-algorithms';

const taken = new Set(KERNELS.flatMap(({ name, aliases }) => [name, ...aliases]));

/** What a request to `/graphlib` can name, in the order in which it is shown: functions under names that are free. */
export const GRAPH_LIBRARY: readonly (Kernel | LibraryAlgorithm)[] = [
  ...KERNELS,
  ...LIBRARY_ALGORITHMS.filter(({ name }) => !taken.has(name)),
];

/** Finds an algorithm of the graph library by its name or an alias. */
export const findAlgorithm = (name: string): Kernel | LibraryAlgorithm | undefined =>
  GRAPH_LIBRARY.find((entry) => entry.name === name || entry.aliases.includes(name));

const MAX_SUGGESTIONS = 3;

/** The names nearest to one that is not there, nearest first; empty when none is like it. */
export const nearestNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const text = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: name.includes(text) || text.includes(name) ? 1 : editDistance(text, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.ceil(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
};

/** Levenshtein's distance, row by row. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};
