/** Values by text. The one that was not used for longest makes room for a new one. */
export interface Recent<V> {
  readonly get: (text: string) => V | undefined;
  readonly set: (text: string, value: V) => void;
  readonly delete: (text: string) => void;
}

const MOST_KEPT = 500;
/** Longer texts are rarely sent twice, and would take much memory. */
const MOST_CHARACTERS = 10_000;

export const createRecent = <V>(): Recent<V> => {
  const kept = new Map<string, V>();
  return {
    get: (text) => {
      const value = kept.get(text);
      if (value === undefined) return undefined;
      kept.delete(text);
      kept.set(text, value);
      return value;
    },
    set: (text, value) => {
      if (text.length > MOST_CHARACTERS) return;
      kept.delete(text);
      kept.set(text, value);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    },
    delete: (text) => void kept.delete(text),
  };
};

/** A pure function of a text that remembers what it said about the texts seen last. */
export const remembering = <V>(compute: (text: string) => V): ((text: string) => V) => {
  const recent = createRecent<V>();
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    recent.set(text, value);
    return value;
  };
};
