import * as fc from 'fast-check';
import { DEFAULT_LIFECYCLE } from '../../../domain/config';
import {
  type DeleteMapping,
  mapping,
  type MappingEvent,
  type SetMappingLifecycle,
  type UpdateMapping,
} from '../../../domain/mapping';
import { knowsEdge, personNode } from '../../support/domain-samples';
import { by, expectRight, given, NOON } from '../../support/given-when-then';

const created: MappingEvent = {
  type: 'MappingCreated',
  data: {
    mappingId: 1,
    ownerUsername: 'ada',
    ownerName: 'Ada L.',
    name: 'Friends',
    description: 'Who knows whom',
    ttl: null,
    inactivityTimeout: 'P30D',
    nodeDefinitions: [personNode],
    edgeDefinitions: [knowsEdge],
  },
};
const robot = { ...personNode, label: 'Robot' };
const second: MappingEvent = {
  type: 'MappingVersionCreated',
  data: {
    mappingId: 1,
    version: 2,
    changeDescription: 'Robots',
    createdBy: 'ada',
    createdByName: 'Ada L.',
    nodeDefinitions: [personNode, robot],
    edgeDefinitions: [knowsEdge],
  },
};
const planned = (snapshotId: number): MappingEvent => ({
  type: 'MappingSnapshotPlanned',
  data: { mappingId: 1, version: 1, snapshotId, instanceId: snapshotId + 100 },
});
const deleted: MappingEvent = { type: 'MappingDeleted', data: { mappingId: 1, reason: 'no use' } };

const update = (changes: Partial<UpdateMapping>): UpdateMapping => ({
  type: 'UpdateMapping',
  actorName: 'Ada L.',
  name: null,
  description: null,
  changeDescription: null,
  nodeDefinitions: null,
  edgeDefinitions: null,
  ...changes,
});
const remove = (...goneSnapshotIds: number[]): DeleteMapping => ({
  type: 'DeleteMapping',
  reason: 'no use',
  goneSnapshotIds,
});
const live = (changes: Pick<Partial<SetMappingLifecycle>, 'ttl' | 'inactivityTimeout'>): SetMappingLifecycle => ({
  type: 'SetMappingLifecycle',
  ttl: undefined,
  inactivityTimeout: undefined,
  limits: DEFAULT_LIFECYCLE.mapping,
  ...changes,
});

describe('updating a mapping', () => {
  it('creates a version of the sent definitions and copies the omitted list', () => {
    given(mapping, created)
      .when(update({ nodeDefinitions: [personNode, robot], changeDescription: 'Robots' }))
      .happens(second);
    given(mapping, created, second)
      .when(update({ edgeDefinitions: [], changeDescription: 'No ties' }))
      .happens({
        ...second,
        data: { ...second.data, version: 3, changeDescription: 'No ties', edgeDefinitions: [] },
      });
  });

  it('keeps the earlier versions', () => {
    expect(given(mapping, created, second).state()?.versions).toEqual([
      { version: 1, nodeDefinitions: [personNode], edgeDefinitions: [knowsEdge] },
      { version: 2, nodeDefinitions: [personNode, robot], edgeDefinitions: [knowsEdge] },
    ]);
  });

  it('a new name alone keeps description and version', () => {
    const data = { mappingId: 1, name: 'Pals', description: 'Who knows whom' };
    given(mapping, created)
      .when(update({ name: 'Pals' }))
      .happens({ type: 'MappingHeaderChanged', data });
    const renamed = given(mapping, created, { type: 'MappingHeaderChanged', data }).state();
    expect(renamed).toMatchObject({ name: 'Pals', ownerUsername: 'ada' });
  });

  it('a new name and new definitions change both', () => {
    given(mapping, created)
      .when(update({ description: '', nodeDefinitions: [personNode, robot], changeDescription: 'Robots' }))
      .happens({ type: 'MappingHeaderChanged', data: { mappingId: 1, name: 'Friends', description: '' } }, second);
  });

  it('new definitions require a description of the change', () => {
    given(mapping, created)
      .when(update({ nodeDefinitions: [robot] }))
      .isRefused('VALIDATION_FAILED', { field: 'change_description' });
  });

  it('requires at least one change', () => {
    given(mapping, created)
      .when(update({ changeDescription: 'Nothing' }))
      .isRefused('VALIDATION_FAILED', { field: 'body' });
  });

  it('checks the copied edges against the new nodes', () => {
    given(mapping, created)
      .when(update({ nodeDefinitions: [robot], changeDescription: 'Robots only' }))
      .isRefused('VALIDATION_FAILED', {
        errors: [{ field: 'edge_definitions.0.from_node' }, { field: 'edge_definitions.0.to_node' }],
      });
  });

  it('checks the new edges against the copied nodes', () => {
    given(mapping, created)
      .when(update({ edgeDefinitions: [{ ...knowsEdge, to_node: 'Robot' }], changeDescription: 'Robots' }))
      .isRefused('VALIDATION_FAILED', { field: 'edge_definitions.0.to_node' });
  });

  it('reports an invalid body first, then a missing mapping, then a missing permission', () => {
    const sound = update({ name: 'Pals' });
    const wrong = update({ edgeDefinitions: [{ ...knowsEdge, type: 'knows' }], changeDescription: 'x' });
    given(mapping).when(wrong).isRefused('VALIDATION_FAILED', { field: 'edge_definitions.0.type' });
    given(mapping).when(sound).isRefused('RESOURCE_NOT_FOUND');
    given(mapping, created, deleted).when(sound).isRefused('RESOURCE_NOT_FOUND');
    given(mapping, created)
      .when(sound, by('bob'))
      .isRefused('PERMISSION_DENIED', { owner_username: 'ada', your_role: 'analyst' });
  });

  it('is allowed for admin and ops', () => {
    const header: MappingEvent = {
      type: 'MappingHeaderChanged',
      data: { mappingId: 1, name: 'Pals', description: 'Who knows whom' },
    };
    for (const role of ['admin', 'ops'] as const) {
      given(mapping, created)
        .when(update({ name: 'Pals' }), by('olivia', role))
        .happens(header);
    }
  });
});

describe('the versions of a mapping', () => {
  const change = fc.oneof(
    fc.constantFrom(
      update({ nodeDefinitions: [personNode, robot], changeDescription: 'Robots' }),
      update({ nodeDefinitions: [personNode], edgeDefinitions: [knowsEdge], changeDescription: 'As before' }),
      update({ edgeDefinitions: [], changeDescription: 'No ties' }),
      update({ name: 'Pals' }),
      live({ ttl: 'P7D' }),
    ),
    fc
      .nat(5)
      .map(
        (snapshotId) =>
          ({ type: 'PlanMappingSnapshot', version: 1, snapshotId, instanceId: 1, goneSnapshotIds: [] }) as const,
      ),
  );

  it('are numbered without gaps and never change', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 15 }), (commands) => {
        let state = given(mapping, created).state();
        for (const command of commands) {
          const earlier = state?.versions ?? [];
          const events = expectRight(mapping.decide(command, state, { now: NOON, ...by('ada') }));
          state = events.reduce(mapping.evolve, state);
          const versions = state?.versions ?? [];
          expect(versions.slice(0, earlier.length)).toEqual(earlier);
          expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
          expect(state?.ownerUsername).toBe('ada');
        }
      }),
    );
  });
});

describe('the lifetime of a mapping', () => {
  const becomes = (command: SetMappingLifecycle, ttl: string | null, inactivityTimeout: string) =>
    given(mapping, created, {
      type: 'MappingLifecycleChanged',
      data: { mappingId: 1, ttl: 'P60D', inactivityTimeout: 'P20D' },
    })
      .when(command)
      .happens({ type: 'MappingLifecycleChanged', data: { mappingId: 1, ttl, inactivityTimeout } });

  it('keeps absent fields', () => {
    becomes(live({}), 'P60D', 'P20D');
    becomes(live({ ttl: 'P90D' }), 'P90D', 'P20D');
    becomes(live({ inactivityTimeout: 'P5D' }), 'P60D', 'P5D');
  });

  it('is reset to the default by null', () => {
    becomes(live({ ttl: null }), null, 'P20D');
    becomes(live({ inactivityTimeout: null }), 'P60D', 'P30D');
  });

  it('shortens a kept inactivity to a shorter ttl', () => becomes(live({ ttl: 'P7D' }), 'P7D', 'P7D'));

  it('has limits', () => {
    given(mapping, created)
      .when(live({ ttl: 'P366D' }))
      .isRefused('VALIDATION_FAILED', { field: 'ttl', requested: 'P366D', max_allowed: 'P365D' });
    given(mapping, created)
      .when(live({ ttl: 'P2D', inactivityTimeout: 'P3D' }))
      .isRefused('VALIDATION_FAILED', { field: 'inactivity_timeout' });
    given(mapping)
      .when(live({ ttl: 'P366D' }))
      .isRefused('VALIDATION_FAILED', { field: 'ttl' });
  });

  it('is changed by the owner', () => {
    given(mapping, created).when(live({}), by('bob')).isRefused('PERMISSION_DENIED');
  });
});

describe('a snapshot of a mapping', () => {
  const plan = { type: 'PlanMappingSnapshot', version: 1, snapshotId: 3, instanceId: 103, goneSnapshotIds: [] } as const; // prettier-ignore

  it('can be planned by any user, once', () => {
    given(mapping, created).when(plan, by('bob')).happens(planned(3));
    given(mapping, created, planned(3)).when(plan).changesNothing();
  });

  it('lets the mapping forget those that are gone', () => {
    const forgotten = { type: 'MappingSnapshotsForgotten', data: { mappingId: 1, snapshotIds: [1] } } as const;
    given(mapping, created, planned(1), planned(2))
      .when({ ...plan, goneSnapshotIds: [1, 7] })
      .happens(forgotten, planned(3));
    const { snapshots } = given(mapping, created, planned(1), planned(2), forgotten, planned(3)).state() ?? {};
    expect(snapshots?.map(({ snapshotId }) => snapshotId)).toEqual([2, 3]);
  });

  it('requires an existing version and mapping', () => {
    given(mapping, created)
      .when({ ...plan, version: 2 })
      .isRefused('MAPPING_VERSION_NOT_FOUND', { mapping_id: 1, version: 2, latest_version: 1 });
    given(mapping, created, deleted).when(plan).isRefused('RESOURCE_NOT_FOUND');
  });
});

describe('deleting a mapping', () => {
  it('succeeds without snapshots, and is not found the second time', () => {
    given(mapping, created).when(remove()).happens(deleted);
    given(mapping, created, deleted).when(remove()).isRefused('RESOURCE_NOT_FOUND');
  });

  it('is rejected while a snapshot of any version exists', () => {
    given(mapping, created, planned(3), second, planned(4), planned(5))
      .when(remove(4))
      .isRefused('RESOURCE_HAS_DEPENDENCIES', { snapshot_count: 2 });
    given(mapping, created, planned(3), planned(4)).when(remove(3, 4)).happens(deleted);
  });

  it('reports a missing permission before snapshots', () => {
    given(mapping, created, planned(3)).when(remove(), by('bob')).isRefused('PERMISSION_DENIED');
  });
});
