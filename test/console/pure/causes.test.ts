import { causesOfEvent, explainedResource } from '../../../adapters/console/api/causes-of-event';

interface Node {
  readonly event_id: string;
  readonly children: readonly Node[];
}
const node = (event_id: string, ...children: readonly Node[]): Node => ({ event_id, children });

describe('the causes of an event', () => {
  it('are the branch of the tree from the request to the event', () => {
    const tree = node('request', node('requested', node('input', node('queued'), node('timer')), node('failed')));
    const idsTo = (eventId: string) => causesOfEvent(tree, eventId).map(({ event_id }) => event_id);
    expect(idsTo('timer')).toEqual(['request', 'requested', 'input', 'timer']);
    expect(idsTo('requested')).toEqual(['request', 'requested']);
    expect(idsTo('other')).toEqual([]);
  });

  it.each([
    ['instance', '7', { type: 'instance', id: 7 }],
    ['export_job', '11', { type: 'export_job', id: 11 }],
    ['process', 'instance_startup-7', { type: 'instance', id: 7 }],
    ['process', 'snapshot_export-3', { type: 'snapshot', id: 3 }],
    ['user', 'instance_startup', null],
    ['capacity', 'cluster', null],
  ])('%s %s leads to the resource that explains it', (resource_type, resource_id, expected) => {
    expect(explainedResource({ resource_type, resource_id })).toEqual(expected);
  });
});
