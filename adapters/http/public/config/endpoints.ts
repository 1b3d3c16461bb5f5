import * as t from 'io-ts';
import { DEFAULT_EXPORT_MAX_SECONDS } from '../../../../domain/config';
import { Duration, fields, integer, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { data, endpoint } from '../../kit';
import { asOfField } from '../as-of/as-of-field';

const limits = t.strict({ default_ttl: nullable(t.string), default_inactivity: t.string, max_ttl: t.string });
export type LimitsRecord = t.TypeOf<typeof limits>;

const LimitsBody = optional(
  fields({
    default_ttl: optional(nullable(Duration)),
    default_inactivity: optional(Duration),
    max_ttl: optional(Duration),
  }),
);

const concurrency = { per_analyst: t.number, cluster_total: t.number };
const lastChange = { updated_at: nullable(t.string), updated_by: nullable(t.string) };
const MaintenanceRecord = t.strict({ enabled: t.boolean, message: t.string, ...lastChange });
const ExportRecord = t.strict({ max_duration_seconds: t.number, ...lastChange });

export const configEndpoints = {
  getLifecycleConfig: endpoint('GET /config/lifecycle', {
    access: 'ops',
    summary: 'Default and maximum lifetimes of each kind of resource',
    query: fields(asOfField),
    success: data(t.strict({ mapping: limits, snapshot: limits, instance: limits })),
  }),
  setLifecycleConfig: endpoint('PUT /config/lifecycle', {
    access: 'ops',
    summary: 'Change the lifetimes of new resources; absent fields are unchanged',
    body: fields({ mapping: LimitsBody, snapshot: LimitsBody, instance: LimitsBody }),
    success: data(t.strict({ updated: t.literal(true), updated_at: t.string })),
  }),
  getConcurrencyConfig: endpoint('GET /config/concurrency', {
    access: 'ops',
    summary: 'Limits of concurrent instances',
    query: fields(asOfField),
    success: data(t.strict(concurrency)),
  }),
  setConcurrencyConfig: endpoint('PUT /config/concurrency', {
    access: 'ops',
    summary: 'Change the limits of concurrent instances; instances above a lower limit are kept',
    body: fields({ per_analyst: integer(1, 100), cluster_total: integer(1, 1000) }),
    success: data(t.strict({ ...concurrency, updated_at: t.string })),
  }),
  getMaintenanceConfig: endpoint('GET /config/maintenance', {
    access: 'ops',
    summary: 'Whether new resources can be created',
    query: fields(asOfField),
    success: data(MaintenanceRecord),
  }),
  setMaintenanceConfig: endpoint('PUT /config/maintenance', {
    access: 'ops',
    summary: 'Start or end maintenance, during which no resources are created',
    body: fields({ enabled: t.boolean, message: optional(text({ min: 0, max: 1000 })) }),
    success: data(MaintenanceRecord),
  }),
  getExportConfig: endpoint('GET /config/export', {
    access: 'ops',
    summary: 'Maximum duration of an export job',
    query: fields(asOfField),
    success: data(ExportRecord),
  }),
  setExportConfig: endpoint('PUT /config/export', {
    access: 'ops',
    summary: `Change how long jobs of new exports may take; absent: ${DEFAULT_EXPORT_MAX_SECONDS} seconds`,
    body: fields({ max_duration_seconds: optional(integer(60, 86_400)) }),
    success: data(ExportRecord),
  }),
};
