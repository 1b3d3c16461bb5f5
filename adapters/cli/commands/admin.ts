import { type ActionGroup } from '../action';
import { command, wholeRecord } from '../command';
import { tableOf } from '../output';
import { option, reasonOption } from '../request-options';

/** Deleting a hundred instances takes a while. */
const patienceMs = 600_000;

export const adminCommands: ActionGroup = {
  name: 'admin',
  summary: 'Cleaning up (admins)',
  actions: [
    command('deleteInBulk', 'bulk-delete <kind>', null, {
      arguments: ['resource_type'],
      options: [
        option('--name-prefix <text>', 'whose name begins so', { field: 'filters.name_prefix' }),
        option('--owner <username>', 'of this user', { field: 'filters.created_by' }),
        option('--older-than <hours>', 'created longer ago', { field: 'filters.older_than_hours' }),
        option('--status <status>', 'in this state', { field: 'filters.status' }),
        reasonOption,
        option('--expect <n>', 'only if exactly so many match', { field: 'expected_count' }),
        option('--dry-run', 'say what would be deleted, and delete nothing'),
      ],
      examples: [
        'admin bulk-delete instance --owner ada --status failed --reason "left over" --dry-run',
        'admin bulk-delete instance --owner ada --status failed --reason "left over" --expect 3',
      ],
      question: (input) => (input.flag('dry-run') ? null : `Delete every ${input.argument(0)} that matches?`),
      patienceMs,
      show: ({ data }) => ({
        data,
        text: data.dry_run
          ? `${data.matched_count} match: ${data.matched_ids.join(', ') || 'none'}. Nothing was deleted.`
          : `${data.deleted_count} of ${data.matched_count} are deleted: ${data.deleted_ids.join(', ') || 'none'}.`,
        ...(data.errors.length === 0
          ? {}
          : {
              exitCode: 1,
              sections: [{ title: 'Not deleted', table: tableOf(data.errors, { id: 'resource_id', why: 'error' }) }],
            }),
      }),
    }),
    command('cleanUpAfterTests', 'clean-up-after-tests', 'Delete everything of the configured end-to-end test users', {
      question: () => 'Delete everything of the end-to-end test users?',
      patienceMs,
      show: ({ data }) => ({ data, record: wholeRecord(data), ...(data.success ? {} : { exitCode: 1 }) }),
    }),
  ],
};
