export * from './commands';
export * from './events';
export * from './instance-startup';
export * from './snapshot-export';
