import { deleteInBulk } from '../../../commands/cleanup/delete-in-bulk';
import { bulkDeletionStream } from '../../../domain/cleanup';
import { type EventStore } from '../../../domain/ports/event-store';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { waitFor } from '../../support/wait-for';

const filters = { namePrefix: null, createdBy: 'ada', olderThanHours: null, status: null };
const request = { filters, reason: 'spring cleaning', dryRun: false, expectedCount: null };

describe('deleting in bulk', () => {
  let system: InMemorySystem;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    system = createInMemorySystem();
    stop = system.start();
    await system.createMapping();
    for (const _ of [1, 2, 3]) expectRight(await system.requestInstance());
    await system.settled();
  });
  afterEach(() => stop());

  const portsWith = (store: EventStore) => ({
    ...system.ports,
    store,
    untilInstanceIsGone: async (id: number) => {
      await waitFor('the instance is deleted', async () => (await system.instance(id))?.status === 'deleted');
      return true;
    },
  });

  it('deletes what it can, reports failures, and returns when the pods have ended', async () => {
    const matches = { resourceType: 'instance', matchedIds: [1, 99, 2], matchedCount: 3 } as const;
    const context = system.context('olivia', 'admin');
    const { state } = expectRight(await deleteInBulk(portsWith(system.store), { ...request, ...matches }, context));
    expect(state?.outcome).toMatchObject({
      deletedIds: [1, 2],
      failures: [{ resourceId: 99, code: 'RESOURCE_NOT_FOUND' }],
    });
    expect([...system.pods.running.values()].map(({ instanceId }) => instanceId)).not.toContain(1);
    const events = expectRight(await system.store.readStream(bulkDeletionStream(context.commandId)));
    expect(events.map(({ type, metadata }) => [type, metadata.actor])).toEqual([
      ['BulkDeletionDecided', 'olivia'],
      ['BulkDeletionCompleted', 'olivia'],
    ]);
    expect(events[0]?.data).toMatchObject({ reason: 'spring cleaning', filters, matchedIds: [1, 99, 2] });
  });

  it('a dry run is recorded and deletes nothing', async () => {
    const matches = { resourceType: 'instance', matchedIds: [1, 2, 3], matchedCount: 3, dryRun: true } as const;
    const context = system.context('olivia', 'admin');
    const { state } = expectRight(await deleteInBulk(portsWith(system.store), { ...request, ...matches }, context));
    expect(state).toMatchObject({ decision: { dryRun: true, matchedIds: [1, 2, 3] }, outcome: null });
    expect((await system.instance(1))?.status).not.toBe('stopping');
  });

  it('an interrupted deletion deletes the rest of its selection when it is repeated', async () => {
    const context = system.context('olivia', 'admin');
    const matches = { resourceType: 'instance', matchedIds: [1, 2], matchedCount: 2 } as const;
    const dying: EventStore = {
      ...system.store,
      append: (stream, ...rest) =>
        stream === 'instance-2' ? Promise.reject(new Error('killed')) : system.store.append(stream, ...rest),
    };
    await expect(deleteInBulk(portsWith(dying), { ...request, ...matches }, context)).rejects.toThrow('killed');
    // By now other resources match.
    const others = { resourceType: 'instance', matchedIds: [3], matchedCount: 1 } as const;
    const { state } = expectRight(await deleteInBulk(portsWith(system.store), { ...request, ...others }, context));
    expect(state?.outcome).toEqual(expect.objectContaining({ deletedIds: [1, 2], failures: [] }));
    expect((await system.instance(3))?.status).not.toBe('deleted');
  });
});
