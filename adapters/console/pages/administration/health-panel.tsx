import { useHealth, useInstanceCounts, useOpsState } from '../../api/administration';
import { count } from '../../kit/format';
import { RecordTable } from '../../kit/record-table';
import { Loaded, Section } from '../../kit/view';

/** State of the components, and number of resources. */
export const HealthPanel = () => (
  <>
    <Section title="Components">
      <Loaded query={useHealth()}>
        {({ data: { status, components, failed_instances: failed } }) => (
          <>
            <p role="status">
              The system is {status}. Failed instances: {failed ?? 'unknown'}.
            </p>
            <RecordTable
              label="Table of components"
              rows={Object.entries(components)}
              keyOf={([name]) => name}
              columns={{
                component: ([name]) => name,
                status: ([, one]) => one.status,
                ms: ([, one]) => one.latency_ms,
                error: ([, one]) => one.error,
              }}
              empty="No components."
            />
          </>
        )}
      </Loaded>
    </Section>
    <Section title="Instances">
      <Loaded query={useInstanceCounts()}>
        {({ data: { limits, by_status, by_owner } }) => (
          <>
            <p>
              {limits.cluster_used} of {limits.cluster_total}; limit per analyst: {limits.per_analyst}.
            </p>
            <Counts counts={by_status} />
            <RecordTable
              label="Instances by owner"
              rows={by_owner}
              keyOf={({ owner_username }) => owner_username}
              columns={{ owner: (one) => one.owner_username, instances: (one) => count(one.count) }}
              empty="No instances."
            />
          </>
        )}
      </Loaded>
    </Section>
    <Loaded query={useOpsState()}>
      {({ data: { snapshots, export_jobs } }) => (
        <>
          <Section title={`Snapshots (${count(snapshots.total)})`}>
            <Counts counts={snapshots.by_status} />
          </Section>
          <Section title="Export jobs">
            <Counts counts={export_jobs.by_status} />
          </Section>
        </>
      )}
    </Loaded>
  </>
);

const Counts = ({ counts }: { readonly counts: Readonly<Record<string, number>> }) => (
  <dl className="figures counts">
    {Object.entries(counts).map(([state, number]) => (
      <div key={state}>
        <dt>{state.replaceAll('_', ' ')}</dt>
        <dd>{count(number)}</dd>
      </div>
    ))}
  </dl>
);
