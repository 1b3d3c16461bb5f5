import * as t from 'io-ts';
import { fields, nullable } from '../../../../domain/kernel/codecs';
import { created, data, endpoint } from '../../kit';

/** Null: the caller has no session and needs none, because it does not use an API key. */
const Session = t.strict({ expires_at: nullable(t.string) });

export const sessionEndpoints = {
  openSession: endpoint('POST /session', {
    summary:
      'Open a session with an API key: a cookie for the pages of this server, at most 12 hours and as long as the key',
    access: 'user',
    body: fields({}),
    success: created(Session),
  }),
  getSession: endpoint('GET /session', {
    summary: 'The session of the cookie',
    access: 'user',
    success: data(Session),
  }),
  closeSession: endpoint('DELETE /session', {
    summary: 'Close the session of the cookie',
    access: 'anybody',
    success: data(t.strict({ closed: t.literal(true) })),
  }),
};
