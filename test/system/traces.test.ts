import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { createInstance, createMapping, untilRunning } from '../support/instances';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(4 * TIMEOUT_MS);

const SentSpan = t.type({
  traceId: t.string,
  spanId: t.string,
  parentSpanId: t.union([t.string, t.undefined]),
  name: t.string,
});
const Attribute = t.type({ key: t.string, value: t.partial({ stringValue: t.string }) });
const Sent = t.type({
  resourceSpans: t.array(
    t.type({
      resource: t.type({ attributes: t.array(Attribute) }),
      scopeSpans: t.array(t.type({ spans: t.array(SentSpan) })),
    }),
  ),
});

interface Span extends t.TypeOf<typeof SentSpan> {
  readonly service: string;
}

const spans: Span[] = [];
let receiver: Server;
let system: RunningSystem;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    void json(request).then((body) => {
      const sent = Sent.decode(body);
      if (request.url === '/v1/traces' && isRight(sent)) spans.push(...sent.right.resourceSpans.flatMap(spansOf));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  system = await startRunningSystem(fillWarehouse, {
    ROWGRAPH_EMBEDDED_WORKER: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
});
afterAll(async () => {
  await system.close();
  receiver.closeAllConnections();
  receiver.close();
});

const spansOf = ({ resource, scopeSpans }: t.TypeOf<typeof Sent>['resourceSpans'][number]): readonly Span[] => {
  const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
  return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
};

const TO_RUNNING = [
  'rowgraph-control-plane: POST /api/instances',
  'rowgraph-control-plane: command RequestInstance',
  'rowgraph-control-plane: append InstanceRequested',
  'rowgraph-control-plane: process process_instance_startup',
  'rowgraph-control-plane: process_command PlanExportJobs',
  'rowgraph-control-plane: append ExportJobPlanned',
  'rowgraph-worker: export job',
  'rowgraph-worker: query',
  'rowgraph-control-plane: PATCH /api/internal/export-jobs/:id',
  'rowgraph-control-plane: append ExportJobCompleted',
  'rowgraph-control-plane: append SnapshotReady',
  'rowgraph-control-plane: process_command CreatePod',
  'rowgraph-pod: pod start',
  'rowgraph-pod: load',
  'rowgraph-control-plane: append InstanceRunning',
];

/** The spans that lead from one to the next; the others are branches. */
const ON_PATH = TO_RUNNING.filter((name) => !/: (query|load|append (ExportJobPlanned|SnapshotReady))$/.test(name));

const nameOf = ({ service, name }: Span): string => `${service}: ${name}`;

it('one trace connects the request and the running instance, even when the control plane restarts before the export', async () => {
  const ada = system.as('ada');
  const id = await createInstance(ada, await createMapping(ada, townMapping));
  await waitFor(
    'its export is planned',
    () => spans.some(({ name }) => name === 'append ExportJobPlanned'),
    TIMEOUT_MS,
  );
  await system.stop();
  await system.start({ ROWGRAPH_EMBEDDED_WORKER: 'on' });
  await untilRunning(ada, id);

  const [request] = spans.filter(({ name }) => name === 'POST /api/instances');
  const inTrace = () => spans.filter(({ traceId }) => traceId === request?.traceId);
  /** The spans that lead to the last event, in order. */
  const path = (last = inTrace().find(({ name }) => name === 'append InstanceRunning')): readonly string[] => {
    const before = inTrace().find(({ spanId }) => spanId === last?.parentSpanId);
    return last === undefined ? [] : [...(before === undefined ? [] : path(before)), nameOf(last)];
  };
  const names = () => inTrace().map(nameOf);
  const isWhole = () => path()[0] === TO_RUNNING[0] && TO_RUNNING.every((name) => names().includes(name));
  await waitFor('all spans have arrived', isWhole, TIMEOUT_MS).catch(() => undefined);
  expect(names()).toEqual(expect.arrayContaining(TO_RUNNING));
  expect(path()).toEqual(expect.arrayContaining(ON_PATH));
  expect([...new Set(path().filter((name) => ON_PATH.includes(name)))]).toEqual(ON_PATH);
  // The log lines of the request name the trace, including those of the pod.
  const lines = system
    .output()
    .split('\n')
    .filter((line) => line.includes(`"trace_id":"${request?.traceId}"`));
  expect(lines.some((line) => line.includes('"path":"/api/instances"'))).toBe(true);
  expect(lines.some((line) => line.includes('"component":"pod"') && line.includes('"msg":"running"'))).toBe(true);
  expect(spans.filter(({ name }) => name.includes('claim'))).toEqual([]);
});
