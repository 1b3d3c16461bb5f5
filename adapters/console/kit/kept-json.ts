/** A record kept as JSON in this browser; parts that are not there are those of `nothing`. Never put credentials here. */
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
    // A full or forbidden storage: it lives as long as the page.
  }
};
