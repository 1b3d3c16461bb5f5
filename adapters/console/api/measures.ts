import { type Data } from './use-answer';

/** Times in seconds, and a graph's usage at each time. */
export type Measures = readonly [at: readonly number[], memoryGb: readonly number[], cores: readonly (number | null)[]];

const STEP_S = 10;
const MOST = 720;
const NONE: Measures = [[], [], []];
const known = new Map<number, Measures>();

/** Usage of a graph since the page was opened. */
export const measuresOf = (id: number): Measures => known.get(id) ?? NONE;

/** Records the current usage of a graph. */
export const measure = ({
  id,
  memory_usage_bytes: memory,
  cpu_usage_cores: cores,
}: Data<'listInstances'>[number]): void => {
  const [times, memories, used] = measuresOf(id);
  const now = Date.now() / 1000;
  if (memory === null || now - (times.at(-1) ?? 0) < STEP_S) return;
  const grown = <T>(before: readonly T[], next: T): readonly T[] => [...before, next].slice(-MOST);
  known.set(id, [grown(times, now), grown(memories, memory / 2 ** 30), grown(used, cores)]);
};
