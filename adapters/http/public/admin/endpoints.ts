import * as t from 'io-ts';
import { BulkResource } from '../../../../domain/cleanup';
import { fields, integer, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { data, endpoint } from '../../kit';

const Ids = t.readonlyArray(t.number);

export const adminEndpoints = {
  deleteInBulk: endpoint('DELETE /admin/resources/bulk', {
    summary: 'Delete up to 100 instances, snapshots or mappings that match all filters',
    access: 'admin',
    takesLong: true,
    validationCode: 'VALIDATION_ERROR',
    unprocessableFields: ['resource_type'],
    body: fields({
      resource_type: BulkResource,
      filters: optional(
        nullable(
          fields({
            name_prefix: optional(nullable(text({ min: 1, max: 255 }))),
            created_by: optional(nullable(text({ min: 1, max: 255 }))),
            older_than_hours: optional(nullable(integer(0))),
            status: optional(nullable(text({ min: 1, max: 100 }))),
          }),
        ),
      ),
      reason: text({ min: 1, max: 500, notBlank: true }),
      expected_count: optional(nullable(integer(0))),
      dry_run: optional(nullable(t.boolean)),
    }),
    success: data(
      t.intersection([
        t.strict({
          dry_run: t.boolean,
          matched_count: t.number,
          matched_ids: Ids,
          deleted_count: t.number,
          deleted_ids: Ids,
          failed_ids: Ids,
          errors: t.readonlyArray(t.strict({ resource_id: t.number, error: t.string })),
        }),
        /** Dry runs only. */
        t.partial({ matches: t.readonlyArray(t.strict({ id: t.number, name: t.string })) }),
      ]),
    ),
    errors: ['VALIDATION_ERROR', 'UNPROCESSABLE'],
  }),
  cleanUpAfterTests: endpoint('DELETE /admin/e2e-cleanup', {
    summary: 'Delete everything that belongs to the configured end-to-end test users, then orphaned pods',
    access: 'admin',
    takesLong: true,
    validationCode: 'VALIDATION_ERROR',
    success: data(
      t.strict({
        instances_deleted: t.number,
        snapshots_deleted: t.number,
        mappings_deleted: t.number,
        pods_terminated: t.number,
        gcs_files_deleted: t.number,
        gcs_bytes_deleted: t.number,
        errors: t.readonlyArray(t.string),
        success: t.boolean,
      }),
    ),
  }),
};
