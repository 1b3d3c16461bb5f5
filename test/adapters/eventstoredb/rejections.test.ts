import * as client from '@eventstore/db-client';
import { rejectionOf } from '../../../adapters/eventstoredb/rejections';

const grpc = (code: number, message: string): Error => Object.assign(new Error(message), { code });
const raised = (code: number, message: string) =>
  ({ name: 'Error', message, code, details: message, metadata: { getMap: () => ({}) } }) as never;
const again = (reason: RegExp, wasSent = true) => ({
  kind: 'no_answer',
  wasSent,
  reason: expect.stringMatching(reason) as string,
});
const refused = (reason: RegExp) => ({ kind: 'refused', reason: expect.stringMatching(reason) as string });
const versions = (current: bigint | 'no_stream') => ({ streamName: 'a-1', current, expected: 3n });

it.each<[string, unknown, object]>([
  [
    'a lost race',
    new client.WrongExpectedVersionError(undefined, versions(5n)),
    { kind: 'wrong_expected_revision', actual: 5 },
  ],
  [
    'a missing stream',
    new client.WrongExpectedVersionError(undefined, versions('no_stream')),
    { kind: 'wrong_expected_revision', actual: null },
  ],
  [
    'too much, without words',
    client.MaxAppendSizeExceededError.fromMaxAppendSize(1_048_576),
    { kind: 'too_large', maxBytes: 1_048_576 },
  ],
  [
    'too much, in words',
    grpc(3, '3 INVALID_ARGUMENT: Maximum Append Size of 1048576 Exceeded.'),
    { kind: 'too_large', maxBytes: 1_048_576 },
  ],
  ['a tombstone', client.StreamDeletedError.fromStreamName('a-1'), { kind: 'tombstone' }],
  ['no such stream', new client.StreamNotFoundError(undefined, 'a-1'), { kind: 'no_stream' }],
  ['a wrong password', new client.AccessDeniedError(raised(16, '16 UNAUTHENTICATED')), refused(/user or the password/)],
  ['a wrong password, of gRPC', grpc(16, '16 UNAUTHENTICATED'), refused(/user or the password/)],
  ['a missing right', new client.AccessDeniedError(raised(7, '7 PERMISSION_DENIED')), refused(/lacks the right/)],
  ['a missing right, without words', new client.AccessDeniedError(), refused(/^its user lacks the right to do this$/)],
  ['a server that is too old', grpc(12, '12 UNIMPLEMENTED'), refused(/older than/)],
  [
    'an unknown certificate',
    grpc(14, '14 UNAVAILABLE: No connection established. Last error: self-signed certificate in certificate chain'),
    again(/trusted.*self-signed/, false),
  ],
  [
    'no server at the address',
    grpc(14, '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1'),
    again(/no connection could be made.*ECONNREFUSED/, false),
  ],
  ['a call that ended first', new Error('The call of appends ended before this one was sent'), again(/lost/, false)],
  ['no leader', new Error('Failed to discover after 2 attempts.'), again(/leader/, false)],
  [
    'a lost connection',
    new client.UnavailableError(raised(14, '14 UNAVAILABLE: read ECONNRESET')),
    again(/ECONNRESET/),
  ],
  ['a lost connection, of gRPC', grpc(14, '14 UNAVAILABLE: Connection dropped'), again(/Connection dropped/)],
  [
    'a passed deadline, without words',
    new client.DeadlineExceededError(),
    again(/^the server did not finish in time$/),
  ],
  ['no quorum', new client.TimeoutError(raised(10, 'Commit phase timeout')), again(/Commit phase timeout/)],
  ['a call cancelled there', new client.CancelledError(raised(1, '1 CANCELLED')), again(/cancelled/)],
  ['a call cancelled here', grpc(1, '1 CANCELLED: Cancelled on client'), again(/cancelled/)],
  [
    'a server that starts',
    new client.UnknownError(undefined, 'Could not recognize Server Is Not Ready'),
    again(/starting or busy.*Not Ready/),
  ],
  [
    'a server that is busy',
    new client.UnknownError(undefined, 'Could not recognize Server Is Too Busy'),
    again(/starting or busy/),
  ],
  ['an unknown reason without words', new client.UnknownError(), again(/unknown reason$/)],
  ['anything else', new Error('an undocumented failure'), again(/unknown reason.*an undocumented failure/)],
  ['no error at all', 'a text', again(/a text/)],
])('classifies %s', (_, error, meaning) => {
  expect(rejectionOf(error)).toEqual(meaning);
});

it('recognises a node that is not the leader any more', () => {
  const leader = { 'leader-endpoint-host': 'other', 'leader-endpoint-port': '2113' };
  const error = new client.NotLeaderError({
    message: 'Leader info available',
    code: 5,
    metadata: { getMap: () => leader },
  } as never);

  expect(rejectionOf(error)).toEqual(again(/no longer the leader/));
});
