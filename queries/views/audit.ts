import * as t from 'io-ts';
import { AuditedType } from '../../domain/audited-resource';
import { fields, optional } from '../../domain/kernel/codecs';
import { UserRole } from '../../domain/user';

/** The role of an actor: that of a user, or `system`. */
export const AuditedRole = t.keyof({ ...UserRole.keys, system: null });

/** An event in the audit trail, without its data. */
export const AuditRow = t.strict({
  event_id: t.string,
  type: t.string,
  resource_type: AuditedType,
  resource_id: t.string,
  /** Number of the event in its stream. */
  revision: t.number,
  position: t.string,
  actor: t.string,
  role: AuditedRole,
  occurred_at: t.string,
  recorded_at: t.string,
  command_id: t.string,
  correlation_id: t.string,
  /** The id of the event or request that caused it. */
  causation_id: t.string,
});
export type AuditRow = t.TypeOf<typeof AuditRow>;

/** The same with the data of the event, if they were asked for. */
export const AuditedEvent = fields({ ...AuditRow.type.props, data: optional(t.unknown) });
export type AuditedEvent = t.TypeOf<typeof AuditedEvent>;
