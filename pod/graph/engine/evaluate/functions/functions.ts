import { type FunctionTable } from './function-table';
import { listFunctions } from './list-functions';
import { numberFunctions } from './number-functions';
import { textFunctions } from './text-functions';
import { timeFunctions } from './time-functions';

/** The functions of openCypher; few of those of time. */
export const functions: FunctionTable = { ...numberFunctions, ...textFunctions, ...listFunctions, ...timeFunctions };
