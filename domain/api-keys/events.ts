import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

const ofKey = { username: t.string, keyId: t.string };

export const apiKeyEvents = {
  /** A user may call with this key. `hash`: SHA-256 of the key, hexadecimal; the key itself is nowhere. */
  ApiKeyCreated: eventSpec(
    t.strict({ ...ofKey, name: t.string, hash: t.string, expiresAt: t.union([t.string, t.null]) }),
  ),
  ApiKeyRevoked: eventSpec(t.strict(ofKey)),
};
export type ApiKeyEvent = EventsOf<typeof apiKeyEvents>;
