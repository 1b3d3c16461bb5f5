/** One field of the form of an algorithm. */
export interface AlgorithmField {
  readonly name: string;
  readonly type: 'label' | 'labels' | 'edge types' | 'text' | 'integer' | 'number' | 'boolean' | 'json';
  readonly isRequired: boolean;
  readonly fallback: unknown;
  readonly description: string;
  /** The object of the request that contains it; null: the request itself. */
  readonly within: 'params' | 'parameters' | null;
}

export interface Algorithm {
  /** The instance's group of algorithms. */
  readonly family: 'native' | 'library' | 'procedure';
  readonly name: string;
  readonly category: string;
  readonly description: string;
}

export interface AlgorithmRun {
  readonly id: string;
  readonly algorithm: string;
  readonly family: Algorithm['family'];
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly startedAt: string;
  readonly username: string;
  readonly ms: number;
  /** Completed share of the work, if known. */
  readonly progress: number | null;
  readonly error: string | null;
  readonly warnings: readonly string[];
  /** Property that stores the values. */
  readonly property: string | null;
}

/** A result as rows, highest value first. */
export interface RunResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Labels whose nodes have the property of the run. */
  readonly labels: readonly string[];
  readonly isTruncated: boolean;
}

interface Shown {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly description: string;
}

const TYPES: Readonly<Record<string, AlgorithmField['type']>> = {
  node_label: 'label',
  node_labels: 'labels',
  edge_types: 'edge types',
  relationship_types: 'edge types',
};

const PLAIN_TYPES: Readonly<Record<string, AlgorithmField['type']>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** The field of a declared parameter. */
export const fieldOf = (shown: Shown, within: AlgorithmField['within']): AlgorithmField => {
  const type = (within === null ? TYPES[shown.name] : undefined) ?? PLAIN_TYPES[shown.type] ?? 'json';
  const { name, required: isRequired, default: fallback, description } = shown;
  return { name, type, isRequired, fallback, description, within };
};

/** A field shared by many algorithms. */
export const commonField = (name: string, type: string, description: string, required = false): AlgorithmField =>
  fieldOf({ name, type, required, description }, null);

/** The request from the values of a form; empty fields are omitted. Throws an error for an invalid value. */
export const requestOf = (
  fields: readonly AlgorithmField[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const body: Record<string, unknown> = {};
  const inner: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field, values[field.name]);
    if (value === undefined) continue;
    if (field.within === null) body[field.name] = value;
    else body[field.within] = Object.assign(inner, { [field.name]: value });
  }
  return body;
};

const valueOf = ({ name, type }: AlgorithmField, value: unknown): unknown => {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return undefined;
  if (type === 'integer' || type === 'number') return Number(value);
  if (type !== 'json' || typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(`${name}: expected JSON, such as [["a"], ["b"]].`);
  }
};
