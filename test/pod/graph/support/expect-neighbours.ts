import { type PodProcess } from './pod-process';

interface Neighbours {
  readonly counts: readonly { readonly type: string; readonly direction: string; readonly count: number }[];
  readonly nodes: readonly { readonly _id: string }[];
  readonly edges: readonly { readonly _from: string; readonly _to: string; readonly _type: string }[];
  readonly truncated: boolean;
}

/** What both kinds answer about the neighbours of nodes of the sample graph. */
export const expectNeighbours = async (pod: PodProcess): Promise<void> => {
  const ask = async (body: object): Promise<Neighbours> => {
    const answer = await pod.call('POST', '/neighbours', body);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.body['data'] as Neighbours;
  };
  const two = await ask({ nodes: ['Person:bob', 'City:1', 'Person:bob'] });
  expect(two.counts).toEqual([
    { type: 'KNOWS', direction: 'out', label: 'Person', count: 1 },
    { type: 'KNOWS', direction: 'in', label: 'Person', count: 1 },
    { type: 'LIVES_IN', direction: 'out', label: 'City', count: 1 },
    { type: 'LIVES_IN', direction: 'in', label: 'Person', count: 1 },
  ]);
  expect(two.nodes.map(({ _id: id }) => id).sort()).toEqual([
    'City:1',
    'City:2',
    'Person:ada',
    'Person:bob',
    'Person:cyd',
  ]);
  expect(two.edges.map(({ _type, _from, _to }) => `${_from} ${_type} ${_to}`).sort()).toEqual([
    'Person:ada KNOWS Person:bob',
    'Person:ada LIVES_IN City:1',
    'Person:bob KNOWS Person:cyd',
    'Person:bob LIVES_IN City:2',
  ]);
  expect(two.truncated).toBe(false);

  const some = await ask({ nodes: ['Person:bob'], edge_types: ['KNOWS'], direction: 'in', limit: 5 });
  expect(some).toMatchObject({ counts: [{ direction: 'in', count: 1 }], edges: [{ _from: 'Person:ada' }] });
  const counted = await ask({ nodes: ['Person:bob'], limit: 0 });
  expect(counted).toMatchObject({ nodes: [{ _id: 'Person:bob' }], edges: [], truncated: true });
  const one = await ask({ nodes: ['Person:bob'], limit: 1 });
  expect([one.edges.length, one.truncated]).toEqual([1, true]);
  expect(await ask({ nodes: ["Person:o'no\\"] })).toMatchObject({ nodes: [], counts: [{ count: 0 }, {}, {}] });

  for (const body of [
    { nodes: [] },
    { nodes: ['Nothing:1'] },
    { nodes: ['City:x'] },
    { nodes: ['City:01'] },
    { nodes: ['bob'] },
    { nodes: ['Persons'] },
    { nodes: Array.from({ length: 1_001 }, (_, key) => `City:${key}`) },
    { nodes: ['Person:bob'], edge_types: ['KNWS'] },
  ])
    expect(await pod.call('POST', '/neighbours', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED' } },
    });
};
