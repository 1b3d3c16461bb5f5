import { readJson } from './kept-json';

/** What is kept of queries in this browser, by user and mapping. Never put credentials here. */
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

/** With a query that ran in front; each is there once. */
export const withRun = (kept: Kept, query: string): Kept => ({
  ...kept,
  history: [query, ...kept.history.filter((one) => one !== query)].slice(0, MAX_HISTORY),
});
