export * from './address-in-store';
export * from './events';
export * from './snapshot';
