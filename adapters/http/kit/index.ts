/** The exports for declarations, handlers and clients. `./router`, which depends on express, is separate. */
export * from './endpoint';
export * from './error-catalogue';
export * from './json-schema-of';
export * from './openapi-document';
export * from './openapi-examples';
export * from './request-codecs';
export * from './respond';
