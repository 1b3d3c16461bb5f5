/** A record stored as JSON in this browser; missing fields are those of `nothing`. Never store credentials here. */
export const readJson = <T extends object>(
  store: { getItem(key: string): string | null },
  key: string,
  nothing: T,
): T => {
  try {
    return { ...nothing, ...(JSON.parse(store.getItem(key) ?? '{}') as Partial<T>) };
  } catch {
    return nothing;
  }
};

export const writeJson = (store: { setItem(key: string, text: string): void }, key: string, value: object): void => {
  try {
    store.setItem(key, JSON.stringify(value));
  } catch {
    // If the storage is full or forbidden, the record is kept until the page closes.
  }
};

/** Query data stored in this browser, by user and mapping. Never store credentials here. */
export interface StoredQueries {
  readonly draft: string;
  /** The last queries that ran, newest first. */
  readonly history: readonly string[];
  readonly parameters: string;
}

const NOTHING: StoredQueries = { draft: '', history: [], parameters: '' };
const MAX_HISTORY = 50;

export const readStoredQueries = (store: { getItem(key: string): string | null }, key: string): StoredQueries =>
  readJson(store, key, NOTHING);

/** Adds a query to the start of the history, without duplicates. */
export const withRun = (stored: StoredQueries, query: string): StoredQueries => ({
  ...stored,
  history: [query, ...stored.history.filter((one) => one !== query)].slice(0, MAX_HISTORY),
});
