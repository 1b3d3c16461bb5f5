/** Identifies callers and their users, and checks access to instances. */
export * from './identity';
export * from './access-check';
export * from './first-user-gate';
export * from './provision-user';
export * from './session';
export * from './identify-caller';
