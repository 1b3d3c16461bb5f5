/** One measured value, and its goal if it has one. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
}

/** The value at a quantile of a sorted or unsorted list: 0.5 is the median, 0.95 the p95. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** On a noisy machine only three digits are significant. */
export const rounded = (value: number): number => Number(value.toPrecision(3));

/** A figure as a readable line. */
export const figureLine = ({ what, value, unit, goal }: Figure): string => {
  if (goal === undefined) return `${what}: ${value} ${unit}`;
  const [wanted, met] =
    'atMost' in goal ? [`≤ ${goal.atMost}`, value <= goal.atMost] : [`≥ ${goal.atLeast}`, value >= goal.atLeast];
  return `${what}: ${value} ${unit} (${wanted}: ${met ? 'met' : 'missed'})`;
};
