import { type Position } from '../../domain/kernel/event';
import { parkedEventOrders, type ParkedEventsCommand } from '../../domain/parked-events';
import { by, expectLeft, expectRight, NOON } from '../support/given-when-then';

const first = { position: '12' as Position, eventType: 'UserCreated' };
const retry: ParkedEventsCommand = {
  ...{ type: 'RetryParkedEvents', reader: 'users', streamId: 'user-ada' },
  ...{ first, expected: null, reason: 'repaired' },
};
const skip: ParkedEventsCommand = { ...retry, type: 'SkipParkedEvent', expected: '12' };
const decide = (command: ParkedEventsCommand) =>
  parkedEventOrders.decide(command, null, { now: NOON, ...by('olivia', 'ops') });

describe('a command about parked events', () => {
  it('is recorded with the event and the reason', () => {
    const data = { reader: 'users', streamId: 'user-ada', ...first, reason: 'repaired' };
    expect(expectRight(decide(retry))).toEqual([{ type: 'ParkedEventsRetryOrdered', data }]);
    expect(expectRight(decide(skip))).toEqual([{ type: 'ParkedEventSkipOrdered', data }]);
  });

  it('is rejected when nothing is parked', () => {
    expect(expectLeft(decide({ ...retry, first: null })).code).toBe('RESOURCE_NOT_FOUND');
    expect(expectLeft(decide({ ...skip, first: null })).code).toBe('RESOURCE_NOT_FOUND');
  });

  it('skips the first event of the stream and no other', () => {
    const refusal = expectLeft(decide({ ...skip, expected: '13' }));
    expect(refusal).toMatchObject({ code: 'INVALID_STATE', details: { first_position: '12' } });
  });
});
