import { readJson } from './stored-json';

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
