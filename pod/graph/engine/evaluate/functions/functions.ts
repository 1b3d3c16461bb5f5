import { type FunctionTable } from './function-table';
import { listFunctions } from './list-functions';
import { numberFunctions } from './number-functions';
import { textFunctions } from './text-functions';
import { timeFunctions } from './time-functions';

/** The functions of openCypher, with only a few of the temporal ones. */
export const functions: FunctionTable = { ...numberFunctions, ...textFunctions, ...listFunctions, ...timeFunctions };
