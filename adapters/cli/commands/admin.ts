import { isLeft, left } from 'fp-ts/Either';
import { type Action, type ActionGroup, present } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { wrongUsage } from '../failure';
import { tableOf } from '../output';

const KINDS = ['instance', 'snapshot', 'mapping'] as const;

const bulkDelete: Action = {
  usage: 'bulk-delete <kind>',
  summary: 'Delete up to 100 instances, snapshots or mappings that match all filters',
  options: [
    { flags: '--name-prefix <text>', description: 'whose name begins so' },
    { flags: '--owner <username>', description: 'of this user' },
    { flags: '--older-than <hours>', description: 'created longer ago', kind: 'integer' },
    { flags: '--status <status>', description: 'in this state' },
    { flags: '--reason <text>', description: 'why; kept for ever' },
    { flags: '--expect <n>', description: 'only if exactly so many match', kind: 'integer' },
    { flags: '--dry-run', description: 'say what would be deleted, and delete nothing' },
    yesOption,
  ],
  examples: [
    'admin bulk-delete instance --owner ada --status failed --reason "left over" --dry-run',
    'admin bulk-delete instance --owner ada --status failed --reason "left over" --expect 3',
  ],
  run: async ({ api, terminal }, given) => {
    const kind = KINDS.find((one) => one === given.argument(0));
    if (kind === undefined) return left(wrongUsage(`"${given.argument(0)}" is none of ${KINDS.join(', ')}.`));
    const reason = given.text('reason');
    if (reason === undefined) return left(wrongUsage('Say why: --reason <text>. It is kept for ever.'));
    const isDryRun = given.flag('dry-run');
    if (!isDryRun) {
      const sure = await confirm(terminal, given, `Delete every ${kind} that matches?`);
      if (isLeft(sure)) return sure;
    }
    const filters = {
      ...present('name_prefix', given.text('name-prefix')),
      ...present('created_by', given.text('owner')),
      ...present('older_than_hours', given.integer('older-than')),
      ...present('status', given.text('status')),
    };
    const body = {
      resource_type: kind,
      filters,
      reason,
      dry_run: isDryRun,
      ...present('expected_count', given.integer('expect')),
    };
    // Deleting a hundred instances takes a while.
    return answered(api.deleteInBulk({ body, patienceMs: 600_000 }), ({ data }) => ({
      data,
      text: isDryRun
        ? `${data.matched_count} match: ${data.matched_ids.join(', ') || 'none'}. Nothing was deleted.`
        : `${data.deleted_count} of ${data.matched_count} are deleted: ${data.deleted_ids.join(', ') || 'none'}.`,
      ...(data.errors.length === 0 ? {} : { exitCode: 1 as const, sections: [failures(data.errors)] }),
    }));
  },
};

const failures = (errors: readonly { readonly resource_id: number; readonly error: string }[]) => ({
  title: 'Not deleted',
  table: tableOf(errors, [
    ['id', ({ resource_id }) => resource_id],
    ['why', ({ error }) => error],
  ]),
});

const cleanUp: Action = {
  usage: 'clean-up-after-tests',
  summary: 'Delete everything of the configured end-to-end test users',
  options: [yesOption],
  run: async ({ api, terminal }, given) => {
    const sure = await confirm(terminal, given, 'Delete everything of the end-to-end test users?');
    if (isLeft(sure)) return sure;
    return answered(api.cleanUpAfterTests({ patienceMs: 600_000 }), ({ data }) => ({
      data,
      record: Object.entries(data).map(([name, value]) => [name.replaceAll('_', ' '), value]),
      ...(data.success ? {} : { exitCode: 1 as const }),
    }));
  },
};

export const adminCommands: ActionGroup = {
  name: 'admin',
  summary: 'Cleaning up (admins)',
  actions: [bulkDelete, cleanUp],
};
