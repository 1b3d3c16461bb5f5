import { type FunctionTable } from './function-table';
import { listFunctions } from './list-functions';
import { numberFunctions } from './number-functions';
import { textFunctions } from './text-functions';

/** The functions of openCypher, without those of time. */
export const functions: FunctionTable = { ...numberFunctions, ...textFunctions, ...listFunctions };
