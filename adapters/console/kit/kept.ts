import { readJson } from './kept-json';

/** Query data stored in this browser, by user and mapping. Never store credentials here. */
export interface Kept {
  readonly draft: string;
  /** The last queries that ran, newest first. */
  readonly history: readonly string[];
  readonly parameters: string;
}

const NOTHING: Kept = { draft: '', history: [], parameters: '' };
const MAX_HISTORY = 50;

export const readKept = (store: { getItem(key: string): string | null }, key: string): Kept =>
  readJson(store, key, NOTHING);

/** Adds a query to the start of the history, without duplicates. */
export const withRun = (kept: Kept, query: string): Kept => ({
  ...kept,
  history: [query, ...kept.history.filter((one) => one !== query)].slice(0, MAX_HISTORY),
});
