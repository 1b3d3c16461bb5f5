import { left } from 'fp-ts/Either';
import { durationMs } from '../kernel/codecs';
import { accept, deciderOf } from '../kernel/decider';
import { type Fault, invalidField, invalidFields } from '../kernel/errors';
import { type ConfigEvent, type LifecycleLimits } from './events';

type Data<T extends ConfigEvent['type']> = Extract<ConfigEvent, { type: T }>['data'];

/** Maximum number of instances at a time. */
export type ConcurrencyLimits = Data<'ConcurrencyConfigured'>;
/** Lifetime limits of each kind of resource. */
export type LifecycleConfig = Data<'LifecycleConfigured'>;
/** The message is returned with refused requests; it may be empty. */
export type Maintenance = Data<'MaintenanceConfigured'>;

export const DEFAULT_CONCURRENCY: ConcurrencyLimits = { perAnalyst: 5, clusterTotal: 50 };

export const DEFAULT_LIFECYCLE: LifecycleConfig = {
  mapping: { defaultTtl: null, defaultInactivity: 'P30D', maxTtl: 'P365D' },
  snapshot: { defaultTtl: 'P7D', defaultInactivity: 'P3D', maxTtl: 'P30D' },
  instance: { defaultTtl: 'PT24H', defaultInactivity: 'PT4H', maxTtl: 'P7D' },
};

/** Longest time an export job may take from its claim, in seconds. */
export const DEFAULT_EXPORT_MAX_SECONDS = 3600;

/** The runtime configuration of the whole system, set by ops. */
export interface Config {
  readonly lifecycle: LifecycleConfig;
  readonly concurrency: ConcurrencyLimits;
  readonly maintenance: Maintenance;
  /** Longest time an export job may take from its claim, in seconds. */
  readonly exportMaxSeconds: number;
}

/** Requested limits of one kind; absent fields do not change. */
export type LifecycleChange = { readonly [K in keyof LifecycleLimits]?: LifecycleLimits[K] | undefined };

export type ConfigCommand =
  | ({ readonly type: 'ConfigureLifecycle' } & {
      readonly [K in keyof LifecycleConfig]?: LifecycleChange | undefined;
    })
  | ({ readonly type: 'ConfigureConcurrency' } & ConcurrencyLimits)
  | ({ readonly type: 'ConfigureMaintenance' } & Maintenance)
  | { readonly type: 'ConfigureExport'; readonly maxDurationSeconds: number };

export const CONFIG_STREAM = 'config-cluster';

/** Every accepted command appends an event, even without a change: the log shows who confirmed the values, and when. */
export const config = deciderOf<ConfigCommand, ConfigEvent, Config>()({
  initial: {
    lifecycle: DEFAULT_LIFECYCLE,
    concurrency: DEFAULT_CONCURRENCY,
    maintenance: { enabled: false, message: '' },
    exportMaxSeconds: DEFAULT_EXPORT_MAX_SECONDS,
  },

  decide: {
    ConfigureLifecycle: (command, state) => {
      const data = {
        mapping: changed(state.lifecycle.mapping, command.mapping),
        snapshot: changed(state.lifecycle.snapshot, command.snapshot),
        instance: changed(state.lifecycle.instance, command.instance),
      };
      const faults = KINDS.flatMap((kind) => defaultAboveMaximum(kind, data[kind], command[kind]));
      if (faults.length > 0) return left(invalidFields(faults));
      return accept([{ type: 'LifecycleConfigured', data }]);
    },
    ConfigureConcurrency: ({ perAnalyst, clusterTotal }) =>
      perAnalyst > clusterTotal
        ? left(invalidField('per_analyst', `must be at most cluster_total, ${clusterTotal}`))
        : accept([{ type: 'ConcurrencyConfigured', data: { perAnalyst, clusterTotal } }]),
    ConfigureMaintenance: ({ enabled, message }) =>
      accept([{ type: 'MaintenanceConfigured', data: { enabled, message } }]),
    ConfigureExport: ({ maxDurationSeconds }) => accept([{ type: 'ExportConfigured', data: { maxDurationSeconds } }]),
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'LifecycleConfigured':
        return { ...state, lifecycle: event.data };
      case 'ConcurrencyConfigured':
        return { ...state, concurrency: event.data };
      case 'MaintenanceConfigured':
        return { ...state, maintenance: event.data };
      case 'ExportConfigured':
        return { ...state, exportMaxSeconds: event.data.maxDurationSeconds };
    }
  },
});

const KINDS = ['mapping', 'snapshot', 'instance'] as const;

const changed = (current: LifecycleLimits, change: LifecycleChange = {}): LifecycleLimits => ({
  defaultTtl: change.defaultTtl === undefined ? current.defaultTtl : change.defaultTtl,
  defaultInactivity: change.defaultInactivity ?? current.defaultInactivity,
  maxTtl: change.maxTtl ?? current.maxTtl,
});

/** Names the field that was sent: a new default above the maximum, or a new maximum below the default. */
const defaultAboveMaximum = (
  kind: (typeof KINDS)[number],
  { defaultTtl, maxTtl }: LifecycleLimits,
  change: LifecycleChange = {},
): readonly Fault[] => {
  if (defaultTtl === null || (durationMs(defaultTtl) ?? 0) <= (durationMs(maxTtl) ?? 0)) return [];
  if (change.defaultTtl === undefined) {
    return [{ field: `${kind}.max_ttl`, message: `must be at least the default_ttl, ${defaultTtl}` }];
  }
  const range = { requested: defaultTtl, max_allowed: maxTtl };
  return [{ field: `${kind}.default_ttl`, message: `must be at most the max_ttl, ${maxTtl}`, ...range }];
};
