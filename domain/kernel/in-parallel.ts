/** Runs the task for every item with a concurrency of `most`; results in the order of the items. */
export const inParallel = async <A, B>(
  most: number,
  items: readonly A[],
  task: (item: A) => Promise<B>,
): Promise<readonly B[]> => {
  const results = new Map<number, B>();
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) results.set(index, await task(item));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
};
