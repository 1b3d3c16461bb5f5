export * from './allow-list';
export * from './names';
