/** What a process command returns when its order is placed and not carried out yet: it is repeated until it is. */
export const PENDING = 'pending';
