export * from './definitions';
export * from './diff-versions';
export * from './events';
export * from './mapping';
export { type Mapping, mappingStream, type MappingVersion, type PlannedSnapshot } from './state';
