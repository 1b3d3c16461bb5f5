/** The name that a misspelt one probably means: the one with the fewest differing letters; null if none is close. */
export const closestName = (written: string, names: readonly string[]): string | null => {
  const [closest] = names
    .map((name) => ({ name, edits: editsBetween(written, name) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return closest?.name ?? null;
};

const MAX_EDITS = 3;

/** The number of letters to insert, remove or replace. */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const letter of from) {
    const above = row;
    row = [(above[0] ?? 0) + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[to.length] ?? 0;
};
