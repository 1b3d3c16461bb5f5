const MAX_SUGGESTIONS = 3;

/** The most similar names to an unknown one in any case, nearest first; empty without a similar name. */
export const nearestNames = (wanted: string, names: readonly string[]): readonly string[] => {
  return names
    .map((name) => ({ name, distance: distanceOf(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.ceil(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
};

const distanceOf = (a: string, b: string): number => (contains(a, b) || contains(b, a) ? 1 : editDistance(a, b));

const contains = (whole: string, part: string): boolean => part.length > 2 && whole.includes(part);

/** The number of letters to insert, remove or replace (Levenshtein), row by row. */
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
