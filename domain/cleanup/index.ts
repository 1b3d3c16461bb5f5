export * from './bulk-deletion';
export * from './events';
export * from './test-cleanup';
