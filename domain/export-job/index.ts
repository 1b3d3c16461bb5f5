export * from './events';
export * from './export-job';
export * from './state';
