import { fail } from '../evaluation-fault';

/** Calculates with dates and times; a fault if the result is out of range. */
export const inRange = <A>(calculate: () => A): A => {
  try {
    return calculate();
  } catch (error) {
    if (error instanceof RangeError)
      return fail(`a date or time outside of the years -271821 to 275760, or ${error.message}`);
    throw error;
  }
};
