import { addressInStore } from '../../../domain/snapshot';

const ROOT = 'file:///new/objects';

it.each([
  ['of a snapshot', 'file:///old/objects/ada/1/v2/37/', `${ROOT}/ada/1/v2/37/`],
  ['of a definition', 'file:///old/objects/ada/1/v2/37/nodes/Person/', `${ROOT}/ada/1/v2/37/nodes/Person/`],
  ['of an edge', 's3://bucket/some/prefix/b%2Eo/1/v2/37/edges/KNOWS/', `${ROOT}/b%2Eo/1/v2/37/edges/KNOWS/`],
  ['below a root that looks alike', 'file:///eve/1/v1/3/objects/ada/4/v5/6/', `${ROOT}/ada/4/v5/6/`],
  ['of an edge type like a version', 'file:///old/ada/1/v2/37/edges/v3/', `${ROOT}/ada/1/v2/37/edges/v3/`],
])('a folder %s that was recorded at another place is where the store is now', (_which, recorded, now) => {
  expect(addressInStore(ROOT, recorded)).toBe(now);
});

it.each([
  ['in the store', `${ROOT}/ada/1/v2/37/`],
  ['in the store, and looks as if it was not', `${ROOT}/ada/1/v2/37/nodes/a/1/v1/1/`],
  ['of a submitter', 's3://bucket/nodes/Person/'],
  ['of a submitter, deeper', 's3://bucket/ada/1/v2/37/nodes/Person/2026/'],
])('a folder %s stays', (_which, recorded) => {
  expect(addressInStore(ROOT, recorded)).toBe(recorded);
});
