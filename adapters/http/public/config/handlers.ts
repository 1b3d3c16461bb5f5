import { isLeft, right } from 'fp-ts/Either';
import { configure } from '../../../../commands/config/configure';
import {
  type ConfigCommand,
  DEFAULT_EXPORT_MAX_SECONDS,
  type LifecycleChange,
  type LifecycleLimits,
} from '../../../../domain/config';
import { type ConfigPart, readConfig } from '../../../../queries/config';
import { readAsOf } from '../as-of/as-of';
import { type Moment } from '../as-of/as-of-field';
import { ofConfig } from '../as-of/resource-streams';
import { type ApiCaller, type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type configEndpoints, type LimitsRecord } from './endpoints';

export const configHandlers = (deps: ResourceDependencies): PublicHandlers<typeof configEndpoints> => ({
  getLifecycleConfig: (request) =>
    configAsOf(deps, request, 'lifecycle', ({ value: { mapping, snapshot, instance } }) => {
      return { mapping: shown(mapping), snapshot: shown(snapshot), instance: shown(instance) };
    }),

  setLifecycleConfig: (request) => {
    const { mapping, snapshot, instance } = request.body;
    const limits = { mapping: toChange(mapping), snapshot: toChange(snapshot), instance: toChange(instance) };
    return change(deps, { type: 'ConfigureLifecycle', ...limits }, request, ({ updated_at }) => ({
      updated: true as const,
      updated_at,
    }));
  },

  getConcurrencyConfig: (request) =>
    configAsOf(deps, request, 'concurrency', ({ value: { perAnalyst, clusterTotal } }) => {
      return { per_analyst: perAnalyst, cluster_total: clusterTotal };
    }),

  setConcurrencyConfig: (request) => {
    const { per_analyst, cluster_total } = request.body;
    return change(
      deps,
      { type: 'ConfigureConcurrency', perAnalyst: per_analyst, clusterTotal: cluster_total },
      request,
      ({ updated_at }) => ({ per_analyst, cluster_total, updated_at }),
    );
  },

  getMaintenanceConfig: (request) =>
    configAsOf(deps, request, 'maintenance', ({ value, ...lastChange }) => ({ ...value, ...lastChange })),

  setMaintenanceConfig: (request) => {
    const { enabled, message = '' } = request.body;
    return change(deps, { type: 'ConfigureMaintenance', enabled, message }, request, (lastChange) => ({
      enabled,
      message,
      ...lastChange,
    }));
  },

  getExportConfig: (request) =>
    configAsOf(deps, request, 'export', ({ value, ...lastChange }) => {
      return { max_duration_seconds: value.maxDurationSeconds, ...lastChange };
    }),

  setExportConfig: (request) => {
    const seconds = request.body.max_duration_seconds ?? DEFAULT_EXPORT_MAX_SECONDS;
    return change(deps, { type: 'ConfigureExport', maxDurationSeconds: seconds }, request, (lastChange) => ({
      max_duration_seconds: seconds,
      ...lastChange,
    }));
  },
});

const configAsOf = <K extends ConfigPart, O>(
  deps: ResourceDependencies,
  { query, identity }: { readonly query: { readonly as_of?: Moment | undefined }; readonly identity: ApiCaller },
  part: K,
  toBody: (section: Awaited<ReturnType<typeof readConfig<K>>>) => O,
) =>
  readAsOf(deps, query.as_of, identity, ofConfig, async ({ db }) =>
    right({ body: toBody(await readConfig(db, part)) }),
  );

const change = async <T>(
  deps: ResourceDependencies,
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
