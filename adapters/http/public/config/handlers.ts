import { isLeft, right } from 'fp-ts/Either';
import { configure } from '../../../../commands/config/configure';
import {
  type ConfigCommand,
  DEFAULT_EXPORT_MAX_SECONDS,
  type LifecycleChange,
  type LifecycleLimits,
} from '../../../../domain/config';
import { readConfig } from '../../../../queries/config';
import { type configEndpoints, type LimitsRecord } from './endpoints';
import { type ApiCaller, type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const configHandlers = (deps: PublicDependencies): PublicHandlers<typeof configEndpoints> => ({
  getLifecycleConfig: async () => {
    const { mapping, snapshot, instance } = (await readConfig(deps.db, 'lifecycle')).value;
    return right({ body: { mapping: shown(mapping), snapshot: shown(snapshot), instance: shown(instance) } });
  },

  setLifecycleConfig: (request) => {
    const { mapping, snapshot, instance } = request.body;
    const limits = { mapping: toChange(mapping), snapshot: toChange(snapshot), instance: toChange(instance) };
    return change(deps, { type: 'ConfigureLifecycle', ...limits }, request, ({ updated_at }) => ({
      updated: true as const,
      updated_at,
    }));
  },

  getConcurrencyConfig: async () => {
    const { perAnalyst, clusterTotal } = (await readConfig(deps.db, 'concurrency')).value;
    return right({ body: { per_analyst: perAnalyst, cluster_total: clusterTotal } });
  },

  setConcurrencyConfig: (request) => {
    const { per_analyst, cluster_total } = request.body;
    return change(
      deps,
      { type: 'ConfigureConcurrency', perAnalyst: per_analyst, clusterTotal: cluster_total },
      request,
      ({ updated_at }) => ({ per_analyst, cluster_total, updated_at }),
    );
  },

  getMaintenanceConfig: async () => {
    const { value, ...lastChange } = await readConfig(deps.db, 'maintenance');
    return right({ body: { ...value, ...lastChange } });
  },

  setMaintenanceConfig: (request) => {
    const { enabled, message = '' } = request.body;
    return change(deps, { type: 'ConfigureMaintenance', enabled, message }, request, (lastChange) => ({
      enabled,
      message,
      ...lastChange,
    }));
  },

  getExportConfig: async () => {
    const { value, ...lastChange } = await readConfig(deps.db, 'export');
    return right({ body: { max_duration_seconds: value.maxDurationSeconds, ...lastChange } });
  },

  setExportConfig: (request) => {
    const seconds = request.body.max_duration_seconds ?? DEFAULT_EXPORT_MAX_SECONDS;
    return change(deps, { type: 'ConfigureExport', maxDurationSeconds: seconds }, request, (lastChange) => ({
      max_duration_seconds: seconds,
      ...lastChange,
    }));
  },
});

const change = async <T>(
  deps: PublicDependencies,
  command: ConfigCommand,
  { identity }: { readonly identity: ApiCaller },
  toBody: (lastChange: { readonly updated_at: string; readonly updated_by: string }) => T,
) => {
  const done = await configure(deps.ports, command, identity.context);
  if (isLeft(done)) return done;
  const { position, occurredAt: updated_at } = done.right;
  return right({ position, body: toBody({ updated_at, updated_by: identity.username }) });
};

const shown = ({ defaultTtl, defaultInactivity, maxTtl }: LifecycleLimits): LimitsRecord => ({
  default_ttl: defaultTtl,
  default_inactivity: defaultInactivity,
  max_ttl: maxTtl,
});

const toChange = (body: Partial<LimitsRecord> | undefined): LifecycleChange => ({
  defaultTtl: body?.default_ttl,
  defaultInactivity: body?.default_inactivity,
  maxTtl: body?.max_ttl,
});
