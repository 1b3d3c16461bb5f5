import { type Algorithm, type GraphSize } from './algorithm';

/** Measured with a million nodes and five million edges at random, each step somewhere else in memory. */
const SECONDS_PER_STEP = 3e-8;
const SECONDS_PER_ROW_READ = 2e-7;
const SECONDS_TO_START = 0.5;
const LONG_SECONDS = 120;

/** Expected duration; smaller graphs, which fit in the processor's caches, are faster. Null: unknown. */
export const estimatedSeconds = (
  { steps }: Algorithm,
  size: GraphSize,
  parameters: Readonly<Record<string, unknown>>,
): number | null => {
  if (steps === null) return null;
  const reading = (size.nodes + size.edges) * SECONDS_PER_ROW_READ;
  return Math.ceil(10 * (SECONDS_TO_START + reading + steps(size, parameters) * SECONDS_PER_STEP)) / 10;
};

export const longRunWarnings = (algorithm: Algorithm, seconds: number | null, timeoutMs: number): readonly string[] => {
  if (seconds === null || seconds <= LONG_SECONDS) return [];
  const limit = seconds * 1000 > timeoutMs ? `, longer than its limit of ${timeoutMs / 1000} s (timeout_ms)` : '';
  const sample = ['k', 'sampling_size'].find((name) => name in algorithm.parameters);
  const advice = sample === undefined ? '' : `; ${sample} makes it an estimate from fewer nodes`;
  return [`${algorithm.name} will take about ${Math.round(seconds)} s on this graph${limit}${advice}.`];
};

/** A search from each of some nodes, null: of all. */
export const searches = ({ nodes, edges }: GraphSize, from: unknown): number =>
  Math.min(nodes, typeof from === 'number' ? from : nodes) * (nodes + 2 * edges);

/** Rounds over all edges until nothing changes. */
export const rounds = ({ nodes, edges }: GraphSize, most: unknown): number =>
  Math.min(50, typeof most === 'number' ? most : 50) * (nodes + 2 * edges);

/** Looking for common neighbours along every edge. */
export const commonNeighbours = ({ edges }: GraphSize): number => edges * Math.sqrt(edges);
