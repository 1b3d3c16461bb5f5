export * from './access-tokens';
export * from './events';
