import { right } from 'fp-ts/Either';
import { recordedKey } from '../../../domain/export-job';
import { decodeEventData } from '../../../domain/kernel/event-catalogue';
import { snapshotEvents } from '../../../domain/snapshot';
import { snapshotDeleted } from '../../support/domain-samples';

it.each([
  ['of a snapshot', 'file:///old/objects/ada/1/v2/37/', 'ada/1/v2/37/'],
  ['of a definition', 'file:///old/objects/ada/1/v2/37/nodes/Person/', 'ada/1/v2/37/nodes/Person/'],
  ['of an edge', 's3://bucket/some/prefix/b%2Eo/1/v2/37/edges/KNOWS/', 'b%2Eo/1/v2/37/edges/KNOWS/'],
  ['below a root that looks alike', 'file:///eve/1/v1/3/objects/ada/4/v5/6/', 'ada/4/v5/6/'],
  ['of an edge type like a version', 'file:///old/ada/1/v2/37/edges/v3/', 'ada/1/v2/37/edges/v3/'],
  ['that is a key', 'ada/1/v2/37/nodes/a/', 'ada/1/v2/37/nodes/a/'],
  ['of a submitter', 's3://bucket/nodes/Person/', 's3://bucket/nodes/Person/'],
  ['of a submitter, deeper', 's3://b/ada/1/v2/37/nodes/Person/2026/', 's3://b/ada/1/v2/37/nodes/Person/2026/'],
])('the folder %s that an earlier version recorded', (_which, recorded, key) => {
  expect(recordedKey(recorded)).toBe(key);
});

it('an event with a full address is read as one with a key', () => {
  const { type, data } = snapshotDeleted;
  const earlier = { type, schemaVersion: 1, data: { ...data, storagePath: `file:///srv/objects/${data.storagePath}` } };
  expect(decodeEventData(snapshotEvents, earlier, '')).toEqual(right(snapshotDeleted));
});
