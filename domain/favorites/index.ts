export * from './events';
export * from './favorites';
