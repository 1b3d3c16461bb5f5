export * from './events';
export * from './snapshot';
