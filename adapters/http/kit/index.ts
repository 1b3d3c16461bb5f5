export * from './endpoint';
export * from './error-catalogue';
export * from './request-codecs';
export * from './request-id';
export * from './respond';
export * from './router';
