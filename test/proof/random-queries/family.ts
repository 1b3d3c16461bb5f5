import { type QueryMaker } from './query-maker';

/** Generates a query of a family; mixes in patterns, conditions and results of other families. */
export type Family = (maker: QueryMaker) => string;

/** How many steps a path has. */
export const STEPS = [1, 1, 2];
