import * as t from 'io-ts';
import { fields, optional } from '../../domain/kernel/codecs';

/** The object with which the API server explains a failure, also as an event of a watch. */
export const Status = fields({ code: optional(t.number), reason: optional(t.string), message: optional(t.string) });

/** A page of a list. */
export const ObjectList = fields({
  metadata: fields({ resourceVersion: t.string, continue: optional(t.string) }),
  items: t.readonlyArray(t.unknown),
});

const texts = t.record(t.string, t.string);
const Resources = fields({ limits: optional(texts), requests: optional(texts) });

const Condition = fields({
  type: t.string,
  status: t.string,
  reason: optional(t.string),
  message: optional(t.string),
});

const Reasoned = { reason: optional(t.string), message: optional(t.string) };

const ContainerStatus = fields({
  name: t.string,
  ready: optional(t.boolean),
  resources: optional(Resources),
  state: optional(
    fields({
      waiting: optional(fields(Reasoned)),
      terminated: optional(fields({ ...Reasoned, exitCode: t.number })),
    }),
  ),
});

/** The fields of a Pod that are used. */
export const PodObject = fields({
  metadata: fields({
    name: t.string,
    uid: t.string,
    resourceVersion: t.string,
    labels: optional(texts),
    deletionTimestamp: optional(t.string),
    deletionGracePeriodSeconds: optional(t.number),
  }),
  spec: fields({ containers: t.readonlyArray(fields({ name: t.string, resources: optional(Resources) })) }),
  status: optional(
    fields({
      ...Reasoned,
      phase: optional(t.string),
      podIP: optional(t.string),
      conditions: optional(t.readonlyArray(Condition)),
      containerStatuses: optional(t.readonlyArray(ContainerStatus)),
      initContainerStatuses: optional(t.readonlyArray(ContainerStatus)),
    }),
  ),
});
export type PodObject = t.TypeOf<typeof PodObject>;
