type Json = Record<string, unknown>;

/** The lists of a pod that are merged by fields of their items; all others are replaced. */
const MERGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  volumeMounts: ['mountPath'],
  ports: ['containerPort', 'protocol'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  tolerations: ['key', 'value', 'effect'],
};
const DEFAULTS: Json = { protocol: 'TCP' };

/**
 * An object with a strategic merge patch, as `kubectl patch` applies it, `$patch: delete` and `replace` included, except
 * that tolerations are merged as well: those of lost nodes stay.
 */
export const mergeStrategically = <A>(original: A, patch: unknown): A =>
  // The API server checks the form of the result.
  merge(original, patch, '') as A;

const merge = (original: unknown, patch: unknown, field: string): unknown => {
  if (patch === undefined) return original;
  const keys = MERGE_KEYS[field];
  if (keys !== undefined && Array.isArray(patch))
    return mergeLists(Array.isArray(original) ? original : [], patch, keys);
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

const mergeLists = (
  original: readonly unknown[],
  patch: readonly unknown[],
  keys: readonly string[],
): readonly unknown[] => {
  const identityOf = (item: unknown): string =>
    JSON.stringify(isObject(item) ? keys.map((key) => item[key] ?? DEFAULTS[key]) : item);
  const merged = new Map(original.map((item) => [identityOf(item), item]));
  for (const item of patch) {
    const identity = identityOf(item);
    if (isObject(item) && item['$patch'] === 'delete') merged.delete(identity);
    else merged.set(identity, merge(merged.get(identity), item, ''));
  }
  return [...merged.values()];
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
