export * from './field-errors';
export * from './fields';
export * from './integer';
export * from './parse-json';
export * from './text';
export * from './duration';
