import { readJson, writeJson } from '../kit/stored-json';
import { type GraphStyle, PLAIN_STYLE } from './appearance';
import { type Place } from './layouts';

/** The style of a mapping's graphs in this browser. */
export interface StoredStyle extends GraphStyle {
  /** Positions of fixed nodes, by id. */
  readonly pins: Readonly<Record<string, Place>>;
}

const KEY = 'rowgraph.style.';
const MAX_PINS = 500;

export const readStyle = (mappingId: number): StoredStyle =>
  readJson(localStorage, `${KEY}${mappingId}`, { ...PLAIN_STYLE, pins: {} });

export const writeStyle = (mappingId: number, style: StoredStyle): void => {
  const pins = Object.fromEntries(Object.entries(style.pins).slice(-MAX_PINS));
  writeJson(localStorage, `${KEY}${mappingId}`, { ...style, pins });
};

/** The style as text, to be saved with a query, and the reverse. */
export const styleText = (mappingId: number): string => JSON.stringify(readStyle(mappingId));
export const restoreStyle = (mappingId: number, text: string): void => localStorage.setItem(`${KEY}${mappingId}`, text);
