export * from './commands';
export * from './events';
export * from './instance';
export * from './memory-size';
export * from './pod-lock';
export * from './pod-status';
export * from './state';
