export * from './job-name';
