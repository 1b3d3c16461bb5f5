/** The fields that are given. */
export const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [name in keyof T]: Exclude<T[name], undefined>;
  };
