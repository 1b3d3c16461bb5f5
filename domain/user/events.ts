import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

/** Roles of people, lowest first. */
export const UserRole = t.keyof({ analyst: null, admin: null, ops: null });
export type UserRole = t.TypeOf<typeof UserRole>;

const profile = {
  username: t.string,
  displayName: t.union([t.string, t.null]),
  email: t.union([t.string, t.null]),
};

export const userEvents = {
  /** The first ops user of the system was chosen; its record follows as `UserCreated`. Happens once. */
  SystemBootstrapped: eventSpec(t.strict(profile)),
  UserCreated: eventSpec(t.strict({ ...profile, role: UserRole })),
};

export type UserEvent = EventsOf<typeof userEvents>;
