import { Link } from '@tanstack/react-router';
import { useMappingTree } from '../../api/mappings';
import { age } from '../../kit/format';
import { StateBadge } from '../../kit/state-badge';
import { Section } from '../../kit/section';
import { Loaded } from '../../kit/view';

/** The snapshots and graphs of each version, polled. */
export const MappingTree = ({ id }: { readonly id: number }) => (
  <Section title="Snapshots and graphs">
    <Loaded query={useMappingTree(id)}>
      {({ data: { versions, totals } }) => (
        <>
          {totals.snapshot_count === 0 && (
            <p className="dimmed">No snapshots or graphs yet. Start a graph of this mapping.</p>
          )}
          <ul className="tree">
            {versions
              .filter(({ snapshot_count }) => snapshot_count > 0)
              .map(({ version, snapshots }) => (
                <li key={version}>
                  Version {version}
                  <ul>
                    {snapshots.map(({ id: snapshot, name, status, created_at, instances }) => (
                      <li key={snapshot}>
                        Snapshot <bdi>{name}</bdi> <StateBadge status={status} />{' '}
                        <span className="dimmed">{age(created_at)} old</span>
                        <ul>
                          {instances.map((one) => (
                            <li key={one.id}>
                              <Link to="/graphs/$id" params={{ id: one.id }}>
                                <bdi>{one.name}</bdi>
                              </Link>{' '}
                              <StateBadge status={one.status} />
                            </li>
                          ))}
                        </ul>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
          </ul>
        </>
      )}
    </Loaded>
  </Section>
);
