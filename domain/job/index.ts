export * from './events';
export * from './job';
export * from './schedule';
