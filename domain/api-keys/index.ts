export * from './api-keys';
export * from './events';
