/** Identifies callers and their users, and checks access to instances. */
export * from './identity';
export * from './access-check';
export * from './follow-token';
export * from './identify-caller';
