import { DEFAULT_CONCURRENCY, DEFAULT_EXPORT_MAX_SECONDS, DEFAULT_LIFECYCLE } from '../domain/config';
import { type ReadDatabase } from './kit/database';

/** A part of the configuration and who set it when; both null while the default holds. */
interface ConfigSection<T> {
  readonly value: T;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

const DEFAULTS = {
  lifecycle: DEFAULT_LIFECYCLE,
  concurrency: DEFAULT_CONCURRENCY,
  maintenance: { enabled: false, message: '' },
  export: { maxDurationSeconds: DEFAULT_EXPORT_MAX_SECONDS },
};
type Defaults = typeof DEFAULTS;

/** A part of the configuration. What the projection keeps is the event's data, which was decoded before. */
export const readConfig = async <K extends keyof Defaults>(
  db: ReadDatabase,
  section: K,
): Promise<ConfigSection<Defaults[K]>> => {
  const found = db('read.config').where({ section });
  const set = await found.first<ConfigSection<Defaults[K]> | undefined>('value', 'updated_at', 'updated_by');
  return set ?? { value: DEFAULTS[section], updated_at: null, updated_by: null };
};
