import { createInMemoryParkedInputs } from '../../../adapters/in-memory/in-memory-parked-inputs';
import { parkedInputsContract } from './parked-inputs-contract';

parkedInputsContract(() => Promise.resolve(createInMemoryParkedInputs()));
