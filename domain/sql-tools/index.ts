export * from './engine-types';
export * from './suggest-definitions';
