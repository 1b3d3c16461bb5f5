export * from './answer';
export { type ApiClient, type InstanceKind, type InstanceProgress } from './clients';
export * from './graph-answer';
export * from './sender';
export * from './rowgraph-client';
export { type AlgorithmResult, byName, runRowsOf } from './run-rows';
