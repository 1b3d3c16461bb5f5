export * from './capacity';
export * from './events';
