import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { createSnapshot, mappingOf, type Snapshot } from '../../pod/graph/support/snapshot';

/** Three people, two cities, one friendship chain with a time to the microsecond. */
export interface SampleGraph {
  readonly snapshot: Snapshot;
  readonly mapping: InstanceMapping;
}

export const createSampleGraph = async (): Promise<SampleGraph> => {
  const snapshot = await createSnapshot();
  await snapshot.export(
    'nodes/Person',
    `SELECT * FROM (VALUES
       ('ada', 36::BIGINT, 9007199254740993::BIGINT, 1.5::DOUBLE, TIMESTAMP '2024-01-31 10:00:00.123456', DATE '1815-12-10', true),
       ('bob', 40, -9223372036854775807, 'nan'::DOUBLE, TIMESTAMP '2024-02-29 23:59:59', DATE '2024-02-29', false),
       ('cyd', NULL, NULL, 'infinity'::DOUBLE, NULL, NULL, NULL)
     ) AS t(name, age, big, score, seen, born, active)`,
  );
  await snapshot.export('nodes/City', `SELECT * FROM (VALUES (1::BIGINT, 'Bern'), (2, 'Köln')) AS t(id, title)`);
  await snapshot.export(
    'edges/KNOWS',
    `SELECT * FROM (VALUES
       ('ada', 'bob', TIMESTAMP '2020-05-01 08:30:00.000001', 0.1::DOUBLE),
       ('bob', 'cyd', TIMESTAMP '2021-05-01 08:30:00.000002', 2.0::DOUBLE)
     ) AS t(a, b, since, strength)`,
  );
  await snapshot.export('edges/LIVES_IN', `SELECT * FROM (VALUES ('ada', 1::BIGINT), ('bob', 2)) AS t(who, city)`);
  const mapping = mappingOf(snapshot, {
    node_definitions: [
      {
        label: 'Person',
        primary_key: { name: 'name', type: 'STRING' },
        properties: [
          { name: 'age', type: 'INT64' },
          { name: 'big', type: 'INT64' },
          { name: 'score', type: 'DOUBLE' },
          { name: 'seen', type: 'TIMESTAMP' },
          { name: 'born', type: 'DATE' },
          { name: 'active', type: 'BOOL' },
        ],
      },
      {
        label: 'City',
        primary_key: { name: 'id', type: 'INT64' },
        properties: [{ name: 'title', type: 'STRING' }],
      },
    ],
    edge_definitions: [
      {
        type: 'KNOWS',
        from_node: 'Person',
        to_node: 'Person',
        from_key: 'a',
        to_key: 'b',
        properties: [
          { name: 'since', type: 'TIMESTAMP' },
          { name: 'strength', type: 'DOUBLE' },
        ],
      },
      { type: 'LIVES_IN', from_node: 'Person', to_node: 'City', from_key: 'who', to_key: 'city', properties: [] },
    ],
  });
  return { snapshot, mapping };
};
