interface Caller {
  readonly username: string;
  readonly role: string;
}

/** Whether a user may change what belongs to an owner; the API decides in the end. */
export const mayChange = ({ username, role }: Caller, owner: string): boolean =>
  role !== 'analyst' || username === owner;
