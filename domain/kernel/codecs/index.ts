export * from './fields';
export * from './one-of';
export * from './text';
export * from './unknown-fields';
