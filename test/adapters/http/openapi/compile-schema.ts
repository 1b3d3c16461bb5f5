import Ajv2020 from 'ajv/dist/2020';

/** A check of JSON values against a JSON Schema 2020-12; keywords nobody knows are refused. */
export const compileSchema = (schema: object): ((value: unknown) => boolean) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats: { 'date-time': true } });
  const validate = ajv.compile(schema);
  return (value) => validate(value);
};
