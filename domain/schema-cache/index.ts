export * from './allow-list';
export * from './names';
export * from './refuse-forbidden';
