const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (isRecord(value)) return `${String(value['name'])} ${String(value['type'])}`;
  return typeof value === 'string' ? value : '';
};

/** A field of a definition as text: properties as lines of name and type. */
export const fieldText = (definition: object | null, field: string): string =>
  isRecord(definition) ? textOf(definition[field]) : '';
