export * from './access';
export * from './events';
export * from './instance';
export * from './memory-size';
export { type OwnerCommand } from './owner-commands';
export * from './pod';
export * from './state';
