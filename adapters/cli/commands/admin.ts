import { type ActionGroup } from '../action';
import { command, wholeRecord } from '../command';
import { sectionOf } from '../output';
import { option, reasonOption } from '../request-options';

/** Enough for a hundred instances. */
const timeoutMs = 600_000;

export const adminCommands: ActionGroup = {
  name: 'admin',
  summary: 'Delete many resources (admins)',
  actions: [
    command('deleteInBulk', 'bulk-delete <kind>', 'Delete up to 100 resources that match all filters', {
      arguments: ['resource_type'],
      options: [
        option('--name-prefix <text>', 'filter by name prefix', { field: 'filters.name_prefix' }),
        option('--owner <username>', 'filter by owner', { field: 'filters.created_by' }),
        option('--older-than <hours>', 'filter by age', { field: 'filters.older_than_hours' }),
        option('--status <status>', 'filter by status', { field: 'filters.status' }),
        reasonOption,
        option('--expect <n>', 'fail unless exactly n match', { field: 'expected_count' }),
        option('--dry-run', 'only print the resources to be deleted'),
      ],
      examples: [
        'admin bulk-delete instance --owner ada --reason "old" --dry-run',
        'admin bulk-delete instance --owner ada --reason "old" --expect 3',
      ],
      question: (input) => (input.flag('dry-run') ? null : `Delete all matching resources (${input.argument(0)})?`),
      timeoutMs,
      show: ({ data }) => ({
        text: data.dry_run
          ? `Matches: ${data.matched_count} (${data.matched_ids.join(', ') || 'none'}). Nothing was deleted.`
          : `Deleted ${data.deleted_count} of ${data.matched_count}: ${data.deleted_ids.join(', ') || 'none'}.`,
        ...(data.matches !== undefined &&
          data.matches.length > 0 && { sections: [sectionOf('Matches', data.matches, { id: 'id', name: 'name' })] }),
        ...(data.errors.length > 0 && {
          exitCode: 1,
          sections: [sectionOf('Not deleted', data.errors, { id: 'resource_id', error: 'error' })],
        }),
      }),
    }),
    command('cleanUpAfterTests', 'clean-up-after-tests', 'Delete all resources of end-to-end test users', {
      question: () => 'Delete all resources of the end-to-end test users?',
      timeoutMs,
      show: ({ data }) => ({ record: wholeRecord(data), exitCode: data.success ? undefined : 1 }),
    }),
  ],
};
