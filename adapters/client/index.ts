export * from './answer';
export * from './exact-json';
export * from './graph-answer';
export * from './identity';
export * from './operations';
export * from './rowgraph-client';
