import fc, { type Arbitrary } from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Letters of all kinds, none of which JSON or PostgreSQL refuse. */
const letters = fc.constantFrom(...'abcXYZ019 _-%\'"\\<>;\t\n', 'é', 'ß', '漢', '😀', '\u202e', '\u0301');

/** Values that a schema of the API description accepts. */
export const valuesOf = (schema: Schema): Arbitrary<unknown> => {
  if (Array.isArray(schema['examples'])) return fc.constantFrom(...(schema['examples'] as readonly unknown[]));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].filter(isSchema).map(valuesOf));
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'integer': {
      const min = numberOf(schema['minimum'], 0);
      return fc.integer({ min, max: Math.min(numberOf(schema['maximum'], min + 50), min + 50) });
    }
    case 'number':
      return fc.integer({ min: 0, max: 50 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(isSchema(schema['items']) ? valuesOf(schema['items']) : fc.jsonValue(), { maxLength: 2 });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
};

const textOf = (schema: Schema): Arbitrary<string> => {
  const [min, max] = [numberOf(schema['minLength'], 0), Math.min(numberOf(schema['maxLength'], 20), 20)];
  if (typeof schema['pattern'] === 'string') {
    const pattern = new RegExp(schema['pattern']);
    return fc.stringMatching(pattern.test('letters') ? /^[A-Za-z]{3,12}$/ : pattern);
  }
  // Not blank, wherever that is required.
  return fc.string({ unit: letters, minLength: Math.max(0, min - 1), maxLength: max - 1 }).map((text) => `n${text}`);
};

const objectOf = ({ properties, required }: Schema): Arbitrary<unknown> => {
  if (!isSchema(properties)) return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.integer(), { maxKeys: 2 });
  const fields = Object.entries(properties).flatMap(([name, field]) =>
    isSchema(field) ? [[name, valuesOf(field)] as const] : [],
  );
  const requiredKeys = Array.isArray(required) ? (required as readonly string[]) : [];
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...requiredKeys] });
};
