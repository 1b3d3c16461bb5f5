import { type OperationExamples } from '../kit';
import examples from './examples.json';

/**
 * Requests of the public API, and their responses as recorded by `npm run record-examples`; each operation has at least
 * one successful example.
 */
export const publicExamples: OperationExamples = examples;
