type Json = Record<string, unknown>;

/** The lists of a pod that are merged by a key of their items; all others are replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  imagePullSecrets: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
};

/** An object with a strategic merge patch, as `kubectl patch` applies it, `$patch: delete` and `replace` included. */
export const mergeStrategically = <A>(original: A, patch: unknown): A =>
  // The API server checks the form of the result.
  merge(original, patch, '') as A;

const merge = (original: unknown, patch: unknown, field: string): unknown => {
  if (patch === undefined) return original;
  const key = MERGE_KEYS[field];
  if (key !== undefined && Array.isArray(original) && Array.isArray(patch)) return mergeLists(original, patch, key);
  if (!isObject(patch)) return patch;
  const { $patch: directive, ...changes } = patch;
  if (directive === 'replace') return changes;
  const merged: Json = isObject(original) ? { ...original } : {};
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) Reflect.deleteProperty(merged, name);
    else merged[name] = merge(merged[name], change, name);
  }
  return merged;
};

const mergeLists = (original: readonly unknown[], patch: readonly unknown[], key: string): readonly unknown[] => {
  const merged = new Map(original.map((item) => [keyOf(item, key), item]));
  for (const item of patch) {
    const name = keyOf(item, key);
    if (isObject(item) && item['$patch'] === 'delete') merged.delete(name);
    else merged.set(name, merge(merged.get(name), item, ''));
  }
  return [...merged.values()];
};

const keyOf = (item: unknown, key: string): unknown => (isObject(item) ? item[key] : item);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
