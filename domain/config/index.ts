export * from './limits';
export * from './lifetime';
