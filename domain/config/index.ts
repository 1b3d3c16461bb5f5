export * from './config';
export * from './events';
export * from './limits';
export * from './lifetime';
