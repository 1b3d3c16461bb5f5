import { config } from '../domain/config';
import { type ReadDatabase } from './kit/database';

/** A part of the configuration, with the time and author of its last change; both null while the default applies. */
interface ConfigSection<T> {
  readonly value: T;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

const { exportMaxSeconds: maxDurationSeconds, ...others } = config.initial;
const DEFAULTS = { ...others, export: { maxDurationSeconds } };
type Defaults = typeof DEFAULTS;
export type ConfigPart = keyof Defaults;

/** Reads a part of the configuration. The projection keeps the data of the event, which was decoded before. */
export const readConfig = async <K extends ConfigPart>(
  db: ReadDatabase,
  section: K,
): Promise<ConfigSection<Defaults[K]>> => {
  const found = db('config').where({ section });
  const set = await found.first<ConfigSection<Defaults[K]> | undefined>('value', 'updated_at', 'updated_by');
  return set ?? { value: DEFAULTS[section], updated_at: null, updated_by: null };
};
