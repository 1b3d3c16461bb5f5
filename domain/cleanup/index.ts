export * from './bulk-deletion';
export * from './events';
