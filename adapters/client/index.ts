export * from './answer';
export * from './graph-answer';
export * from './sender';
export * from './operations';
export * from './rowgraph-client';
