export * from './events';
export * from './ops-guard';
export * from './user';
