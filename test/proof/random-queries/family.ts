import { type QueryMaker } from './query-maker';

/** Makes a query of a family; mixes in the patterns, conditions and results of others. */
export type Family = (maker: QueryMaker) => string;

/** How many steps a path has. */
export const STEPS = [1, 1, 2];
