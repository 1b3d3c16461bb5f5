export * from './lifecycle';
export * from './reconciliation';
export * from './resource-monitor';
