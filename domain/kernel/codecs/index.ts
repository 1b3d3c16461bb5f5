export * from './field-errors';
export * from './fields';
export * from './text';
export * from './duration';
