import { left, right } from 'fp-ts/Either';
import { probeObjectStore } from '../../../adapters/metrics/probe-object-store';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { expectRight, NOON } from '../../support/given-when-then';
import { createInMemoryObjectStore } from '../../support/in-memory/in-memory-object-store';

let store: ObjectStore;
beforeEach(() => {
  store = createInMemoryObjectStore();
});
const keys = async () => expectRight(await store.list('')).map(({ key }) => key);
const before = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000).toISOString();

describe('the probe of the object store', () => {
  it('leaves no object behind when the store works, and also none that reads back differently', async () => {
    expect(await probeObjectStore(store, 'a', NOON)).toBeNull();
    expect(await keys()).toEqual([]);

    const damaging = { ...store, getText: () => Promise.resolve(right('4;chunk-signature=')) };
    expect(await probeObjectStore(damaging, 'a', NOON)).toBe('.health/a/probe read back different content');
    expect(await keys()).toEqual([]);
  });

  it('recovers after failed deletions, and deletes what was left behind', async () => {
    const failure = { kind: 'unavailable', key: '.health/a/', reason: 'S3: NotImplemented' } as const;
    const undeletable = { ...store, deleteAll: () => Promise.resolve(left(failure)) };
    expect(await probeObjectStore(undeletable, 'a', NOON)).toBe('S3: NotImplemented');
    expect(await keys()).toEqual(['.health/a/probe']);

    const later = new Date(NOON.getTime() + 3_600_000);
    expect(await probeObjectStore(store, 'b', later)).toBeNull();
    expect(await keys()).toEqual([]);
  });

  it('deletes the objects of ended replicas only', async () => {
    await store.putText('.health/running/probe', before(1));
    await store.putText('.health/ended/probe', before(11));
    await store.putText('.health/damaged/probe', '4;chunk-signature=');
    await store.putText('ada/1/v1/7/nodes/Person/attempt-1/manifest.json', before(11));
    expect(await probeObjectStore(store, 'a', NOON)).toBeNull();
    expect(await keys()).toEqual(['.health/running/probe', 'ada/1/v1/7/nodes/Person/attempt-1/manifest.json']);
  });
});
