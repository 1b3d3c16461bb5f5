import {
  type ConcurrencyLimits,
  DEFAULT_CONCURRENCY,
  DEFAULT_EXPORT_MAX_SECONDS,
  DEFAULT_LIFECYCLE,
  type LifecycleConfig,
  type Maintenance,
} from '../domain/config';
import { type ReadDatabase } from './kit/database';

/** A part of the configuration and who set it when; both null while the default holds. */
export interface ConfigSection<T> {
  readonly value: T;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

export const readLifecycle = (db: ReadDatabase): Promise<ConfigSection<LifecycleConfig>> =>
  readSection(db, 'lifecycle', DEFAULT_LIFECYCLE);

export const readConcurrency = (db: ReadDatabase): Promise<ConfigSection<ConcurrencyLimits>> =>
  readSection(db, 'concurrency', DEFAULT_CONCURRENCY);

export const readMaintenance = (db: ReadDatabase): Promise<ConfigSection<Maintenance>> =>
  readSection(db, 'maintenance', { enabled: false, message: '' });

export const readExportLimit = (db: ReadDatabase): Promise<ConfigSection<{ readonly maxDurationSeconds: number }>> =>
  readSection(db, 'export', { maxDurationSeconds: DEFAULT_EXPORT_MAX_SECONDS });

/** What the projection keeps is the event's data, which was decoded before. */
const readSection = async <T>(db: ReadDatabase, section: string, byDefault: T): Promise<ConfigSection<T>> => {
  const found = db('read.config').where({ section });
  const set = await found.first<ConfigSection<T> | undefined>('value', 'updated_at', 'updated_by');
  return set ?? { value: byDefault, updated_at: null, updated_by: null };
};
