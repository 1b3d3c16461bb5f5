export * from './events';
export * from './parked-events';
