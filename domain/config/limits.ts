/** How many instances may exist at once. */
export interface ConcurrencyLimits {
  readonly perAnalyst: number;
  readonly clusterTotal: number;
}

export const DEFAULT_CONCURRENCY: ConcurrencyLimits = { perAnalyst: 5, clusterTotal: 50 };

/** Life spans of one kind of resource, as ISO 8601 durations. */
export interface LifecycleLimits {
  readonly defaultTtl: string | null;
  readonly defaultInactivity: string;
  readonly maxTtl: string;
}

export type LifecycleConfig = Readonly<Record<'mapping' | 'snapshot' | 'instance', LifecycleLimits>>;

export const DEFAULT_LIFECYCLE: LifecycleConfig = {
  mapping: { defaultTtl: null, defaultInactivity: 'P30D', maxTtl: 'P365D' },
  snapshot: { defaultTtl: 'P7D', defaultInactivity: 'P3D', maxTtl: 'P30D' },
  instance: { defaultTtl: 'PT24H', defaultInactivity: 'PT4H', maxTtl: 'P7D' },
};

/** Longest time an export job may take from its claim, in seconds. */
export const DEFAULT_EXPORT_MAX_SECONDS = 3600;
