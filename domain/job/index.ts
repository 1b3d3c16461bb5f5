export * from './events';
export * from './job';
export * from './job-name';
export * from './schedule';
