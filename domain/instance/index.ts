export * from './commands';
export * from './events';
export * from './instance';
export * from './memory-size';
export * from './pod';
export * from './state';
