export interface Histogram {
  /** Starts of the bars, and the end of the last one. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  /** The lowest and the highest value; null without numbers. */
  readonly range: readonly [number, number] | null;
}

const MOST_BARS = 20;

/** Number of values in equal parts of their range; integers have one bar each if there are few. */
export const histogramOf = (values: readonly number[]): Histogram => {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return { edges: [], counts: [], range: null };
  const least = finite.reduce((a, b) => Math.min(a, b));
  const most = finite.reduce((a, b) => Math.max(a, b));
  const isWhole = finite.every(Number.isInteger);
  const bars = least === most ? 1 : isWhole ? Math.min(MOST_BARS, most - least + 1) : MOST_BARS;
  const width = ((isWhole ? most + 1 : most) - least) / bars;
  const counts = new Array<number>(bars).fill(0);
  for (const value of finite) {
    const place = Math.min(bars - 1, Math.floor((value - least) / (width || 1)));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { edges: [...counts, 0].map((_, place) => least + place * width), counts, range: [least, most] };
};
