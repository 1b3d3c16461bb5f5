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
