export * from './events';
export * from './parked-event-orders';
