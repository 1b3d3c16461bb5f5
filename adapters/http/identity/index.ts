/** Identifies callers and their users, and checks access to instances. */
export * from './identity';
export * from './admit-caller';
export * from './follow-token';
export * from './identify-caller';
