import * as t from 'io-ts';
import { AuditedType } from '../../domain/audited-resource';
import { nullable } from '../../domain/kernel/codecs';

/** An event with the events that it caused; the root is the request. */
export interface CauseTree {
  readonly event_id: string;
  readonly type: string;
  readonly resource_type: AuditedType;
  readonly resource_id: string;
  readonly at: string;
  readonly actor: string;
  readonly ms_after_cause: number;
  readonly children: readonly CauseTree[];
}

export const CauseTree: t.RecursiveType<t.Type<CauseTree>, CauseTree, CauseTree> = t.recursion('CauseTree', () =>
  t.strict({
    event_id: t.string,
    type: t.string,
    resource_type: AuditedType,
    resource_id: t.string,
    at: t.string,
    actor: t.string,
    /** Milliseconds since the event or request that caused it; 0 for the request. */
    ms_after_cause: t.number,
    children: t.readonlyArray(CauseTree),
  }),
);

const step = { resource_type: AuditedType, resource_id: t.string };

/** What a resource waits for until when, and what has failed, also of a deleted one. */
export const Standing = t.strict({
  /** The status, or `deleted`. */
  state: t.string,
  waiting_for: nullable(t.strict({ what: t.string, ...step, until: nullable(t.string) })),
  failed_step: nullable(
    t.strict({ ...step, name: t.string, error_code: nullable(t.string), message: nullable(t.string) }),
  ),
});
export type Standing = t.TypeOf<typeof Standing>;

/** Why a resource is in its present state. */
export const WhyView = t.strict({ ...Standing.type.props, tree: CauseTree });
