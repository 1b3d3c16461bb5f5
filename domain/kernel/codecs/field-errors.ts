import { type Errors, type ValidationError } from 'io-ts';

/** One error of one field. `field` is a dotted path, empty for the value as a whole. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The io-ts failures as error messages of the API. */
export const fieldErrors = (errors: Errors): readonly FieldError[] => errors.map(fieldError);

/** The same, each as one line of text. */
export const fieldErrorLines = (errors: Errors): readonly string[] =>
  errors.map(fieldError).map(({ field, message }) => `${field} ${message}`);

const fieldError = (error: ValidationError): FieldError => ({
  field: error.context
    .map((entry) => entry.key)
    .filter((key) => key !== '')
    .join('.'),
  message: error.value === undefined ? 'is required' : (error.message ?? expectation(error)),
});

const expectation = (error: ValidationError): string => {
  const type = error.context.at(-1)?.type;
  if (type !== undefined && '_tag' in type && type._tag === 'KeyofType' && 'keys' in type) {
    return `must be one of ${Object.keys(type.keys as object).join(', ')}`;
  }
  const words: Readonly<Record<string, string>> = {
    boolean: 'must be true or false',
    string: 'must be a string',
    number: 'must be a number',
  };
  const name = type?.name ?? '';
  return words[name] ?? (name.includes('Array') ? 'must be an array' : 'has the wrong shape');
};
