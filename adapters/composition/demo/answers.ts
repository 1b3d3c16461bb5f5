import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

const data = <C extends t.Mixed>(codec: C) => t.type({ data: codec });

export const Created = data(t.type({ id: t.number }));

export const InstanceDetail = data(
  t.type({
    id: t.number,
    status: t.string,
    instance_url: t.union([t.string, t.null]),
    error_code: t.union([t.string, t.null]),
    error_message: t.union([t.string, t.null]),
    graph_stats: t.union([t.type({ node_count: t.number, edge_count: t.number }), t.null]),
  }),
);

const TableStep = t.intersection([t.type({ name: t.string, status: t.string }), t.partial({ row_count: t.number })]);

export const Progress = data(
  t.intersection([
    t.type({ status: t.string, phase: t.string }),
    t.partial({
      steps: t.array(
        t.intersection([t.type({ name: t.string, status: t.string }), t.partial({ tables: t.array(TableStep) })]),
      ),
    }),
  ]),
);
export type Progress = t.TypeOf<typeof Progress>['data'];

export const QueryAnswer = t.type({
  columns: t.array(t.string),
  rows: t.array(t.array(t.unknown)),
  row_count: t.number,
  execution_time_ms: t.number,
});
export type QueryAnswer = t.TypeOf<typeof QueryAnswer>;

export const AlgorithmStarted = data(t.type({ execution_id: t.string }));

export const AlgorithmStatus = data(
  t.intersection([
    t.type({ status: t.string }),
    t.partial({
      duration_seconds: t.number,
      error: t.string,
      result: t.type({ property_name: t.string, nodes_updated: t.number }),
    }),
  ]),
);

/** The answer in the shape it is documented to have; anything else is a bug worth a clear sentence. */
export const readAnswer = <C extends t.Mixed>(what: string, codec: C, body: unknown): t.TypeOf<C> => {
  const decoded: t.Validation<t.TypeOf<C>> = codec.decode(body);
  if (isLeft(decoded)) throw new Error(`The answer to "${what}" does not have its documented shape.`);
  return decoded.right;
};
