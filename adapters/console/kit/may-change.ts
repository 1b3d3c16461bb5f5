interface Caller {
  readonly username: string;
  readonly role: string;
}

/** Whether a user may change the resources of an owner; the API has the final decision. */
export const mayChange = ({ username, role }: Caller, owner: string): boolean =>
  role !== 'analyst' || username === owner;
