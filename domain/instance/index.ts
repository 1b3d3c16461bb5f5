export * from './access';
export * from './events';
export * from './instance';
export * from './pod';
export { type OwnerCommand } from './owner-commands';
export * from './state';
