import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

const ofToken = { instanceId: t.number, tokenId: t.string, username: t.string };

export const accessTokenEvents = {
  /** Until `expiresAt`, who has this token has the rights of the user on the instance. `hash`: its SHA-256, hexadecimal. */
  AccessTokenIssued: eventSpec(t.strict({ ...ofToken, hash: t.string, expiresAt: t.string })),
  AccessTokenRevoked: eventSpec(t.strict(ofToken)),
};
export type AccessTokenEvent = EventsOf<typeof accessTokenEvents>;
