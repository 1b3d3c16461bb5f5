export * from './config';
export * from './events';
export * from './lifetime';
