import { Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type ExportJobStatus, useExportJobs } from '../../api/administration';
import { age, bytes, count } from '../../kit/format';
import { Records } from '../../kit/record-table';
import { useFilter } from '../../kit/use-filter';

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
