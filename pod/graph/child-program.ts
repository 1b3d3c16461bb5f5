import { programPath } from '../../adapters/system/package-root';

/** Path of a compiled program below `pod/graph`, whether this runs compiled itself or from the sources. */
export const childProgram = (name: string): string => programPath(`pod/graph/${name}`);
