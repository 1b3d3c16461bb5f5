export * from './fields';
export * from './text';
