export * from './commands';
export * from './events';
export * from './instance-startup';
export * from './reconciliation';
export * from './resource-monitor';
export * from './snapshot-export';
export * from './lifecycle';
