import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

/** Roles of people, lowest first. */
export const UserRole = oneOf('analyst', 'admin', 'ops');
export type UserRole = t.TypeOf<typeof UserRole>;

const profile = {
  username: t.string,
  displayName: t.union([t.string, t.null]),
  email: t.union([t.string, t.null]),
};
const ofUser = { username: t.string };

export const userEvents = {
  /** The first ops user of the system was chosen; its record follows as `UserCreated`. Happens once. */
  SystemBootstrapped: eventSpec(t.strict(profile)),
  UserCreated: eventSpec(t.strict({ ...profile, role: UserRole })),
  UserProfileChanged: eventSpec(t.strict(profile)),
  UserRoleChanged: eventSpec(t.strict({ ...ofUser, from: UserRole, to: UserRole })),
  /** The user was deactivated and can no longer sign in; the record is kept. */
  UserDeactivated: eventSpec(t.strict(ofUser)),
  UserReactivated: eventSpec(t.strict(ofUser)),
};
export type UserEvent = EventsOf<typeof userEvents>;

export const opsGuardEvents = {
  /** The removal of this active ops user is allowed as the next event of its stream after `revision`, and not later. */
  OpsRemovalAllowed: eventSpec(t.strict({ ...ofUser, revision: t.number })),
};
export type OpsGuardEvent = EventsOf<typeof opsGuardEvents>;
