/** The result of a process command whose order is placed but not completed; the command is repeated until it is. */
export const PENDING = 'pending';
