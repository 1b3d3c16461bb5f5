import { Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type ExportJobStatus, type Job, useExportJobs, useJobs } from '../../api/administration';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { age, bytes, count, until } from '../../kit/format';
import { useFilter } from '../../kit/list-filters';
import { Records, RecordTable } from '../../kit/record-table';
import { Loaded } from '../../kit/view';
import { Outcome, ReasonField, RowButton } from './controls';

/** The background jobs with their last runs, and buttons to trigger them. */
export const JobsPanel = () => {
  const jobs = useJobs();
  const [reason, setReason] = useState('');
  const isDisabled = reason.trim() === '';
  const trigger = useChange(async (api, name: Job['name']) => {
    const { job_name, status } = await need(api.triggerJob({ body: { job_name: name, reason } }));
    return `Job ${job_name}: ${status}.`;
  });
  return (
    <>
      <ReasonField value={reason} onChange={setReason} />
      <Outcome change={trigger} />
      <Loaded query={jobs}>
        {({ data: { jobs: all, runs_on } }) => (
          <>
            {runs_on === null && <p>No replica is running the jobs.</p>}
            <RecordTable
              label="Background jobs"
              rows={all}
              keyOf={({ name }) => name}
              columns={{
                job: ({ name }) => name,
                schedule: ({ schedule }) => schedule,
                health: ({ health_status }) => health_status,
                'last run': lastRunOf,
                outcome: outcomeOf,
                'next run': nextRunOf,
                action: ({ name }) => (
                  <RowButton text="Trigger" of={name} isDisabled={isDisabled} onClick={() => trigger.mutate(name)} />
                ),
              }}
              empty="No jobs."
            />
          </>
        )}
      </Loaded>
    </>
  );
};

const lastRunOf = ({ last_runs: [last] }: Job): string => {
  if (last === undefined) return 'never';
  return `${age(last.ended_at)} ago${last.triggered_by === null ? '' : `, triggered by ${last.triggered_by}`}`;
};

const outcomeOf = ({ last_runs: [last] }: Job): string => {
  if (last === undefined) return '';
  const counts = Object.entries(last.result ?? {}).filter(([, number]) => number !== 0);
  const done = counts.map(([what, number]) => `${what.replaceAll('_', ' ')} ${number}`).join(', ');
  return last.error?.message ?? (done === '' ? 'no changes' : done);
};

const nextRunOf = ({ running_since, open_trigger, next_run_at }: Job): string => {
  if (running_since !== null) return 'running';
  if (open_trigger !== null) return `queued by ${open_trigger.triggered_by}`;
  return next_run_at === null ? '' : `in ${until(next_run_at)}`;
};

const STATES: readonly ExportJobStatus[] = ['pending', 'claimed', 'submitted', 'completed', 'failed'];

/** The export jobs of all users; the state filter is in the URL. */
export const ExportJobsPanel = () => {
  const { status } = useSearch({ from: '/administration' });
  const state = STATES.find((one) => one === status);
  const jobs = useExportJobs(state);
  const filter = useFilter();
  return (
    <>
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        clearButtonProps={{ 'aria-label': 'Any state' }}
        data={STATES}
        value={state ?? null}
        onChange={(chosen) => filter({ status: chosen ?? undefined })}
        maw={200}
      />
      <Records
        query={jobs}
        label="Export jobs"
        keyOf={({ id }) => id}
        columns={{
          id: ({ id }) => id,
          snapshot: ({ snapshot_id }) => snapshot_id,
          exports: ({ entity_type, entity_name }) => `${entity_type} ${entity_name}`,
          status: (job) => job.status,
          attempts: ({ attempts }) => attempts,
          age: ({ created_at }) => age(created_at),
          'claimed by': ({ claimed_by }) => claimed_by,
          rows: ({ row_count }) => row_count !== null && count(row_count),
          size: ({ size_bytes }) => size_bytes !== null && bytes(size_bytes),
          error: ({ error_message }) => error_message,
        }}
        empty="No export jobs in this state."
      />
    </>
  );
};
