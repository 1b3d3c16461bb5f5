import { editDistance } from '../../domain/kernel/nearest-names';

/** The name that a misspelt one probably means: the one with the fewest differing letters; null if none is close. */
export const closestName = (written: string, names: readonly string[]): string | null => {
  const [closest] = names
    .map((name) => ({ name, edits: editDistance(written, name) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return closest?.name ?? null;
};

const MAX_EDITS = 3;
