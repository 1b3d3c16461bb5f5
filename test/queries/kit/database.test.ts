import { DatabaseError } from 'pg';
import { isDatabaseAway } from '../../../queries/kit/database';

const ofServer = (code: string): Error => Object.assign(new DatabaseError('as in the log', 13, 'error'), { code });

test.each([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'EPROTO'],
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
])('the database is unavailable while connections fail with %s', (code) => {
  expect(isDatabaseAway(Object.assign(new Error('connect'), { code }))).toBe(true);
});

test.each(['08P01', '28000', '28P01', '3D000', '53100', '53200', '53300', '57P01', '57P03', '25006'])(
  'the database is unavailable while the server returns %s',
  (code) => expect(isDatabaseAway(ofServer(code))).toBe(true),
);

test.each(['22P02', '42501', '42P01', '57014', '23505'])('the database is there when it answers %s', (code) => {
  expect(isDatabaseAway(ofServer(code))).toBe(false);
});

test.each(['ENOENT', 'ERR_INVALID_ARG_TYPE'])('the database is there when the code is %s', (code) => {
  expect(isDatabaseAway(Object.assign(new Error('connect'), { code }))).toBe(false);
});
