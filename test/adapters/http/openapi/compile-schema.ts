import Ajv2020 from 'ajv/dist/2020';

/** Compiles a JSON Schema 2020-12 to a check of JSON values; rejects unknown keywords. */
export const compileSchema = (schema: object): ((value: unknown) => boolean) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats: { 'date-time': true } });
  const validate = ajv.compile(schema);
  return (value) => validate(value);
};
