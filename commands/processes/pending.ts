/** What a process command returns when it placed an order whose result is observed later. */
export const PENDING = 'pending';
