import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type WorkerJob } from '../../../queries/views/export-job';

export interface Report {
  readonly jobId: number;
  readonly body: Record<string, unknown>;
}

/** A control plane that hands out the jobs of a test and records the requests it receives. */
export interface RecordingControlPlane {
  readonly url: string;
  /** The token it accepts. */
  token: string;
  readonly pending: WorkerJob[];
  readonly pollable: WorkerJob[];
  /** Bodies of the claims, in order. */
  readonly claims: Record<string, unknown>[];
  /** Accepted reports, in order. */
  readonly reports: Report[];
  /** The job ids of each request for statuses, in order. */
  readonly questions: (readonly number[])[];
  /** The statuses of jobs. A job without an entry still belongs to its worker; null: deleted. */
  readonly statuses: Map<number, { readonly status: string; readonly attempt: number } | null>;
  /** The answer to a report in place of 200; null for the usual answer. */
  onReport: (report: Report) => { status: number; body?: unknown } | null;
  /** Stops answering until `up` is called. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export const WORKER_TOKEN = 'the-token';

export const startRecordingControlPlane = async (): Promise<RecordingControlPlane> => {
  const plane: RecordingControlPlane = {
    url: '',
    token: WORKER_TOKEN,
    pending: [],
    pollable: [],
    claims: [],
    reports: [],
    questions: [],
    statuses: new Map(),
    onReport: () => null,
    down: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    up: () => listen(),
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    const { authorization, 'x-component': component } = request.headers;
    if (authorization !== `Bearer ${plane.token}` || component !== 'worker') {
      return send(401, { error: { code: 'INVALID_COMPONENT' } });
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const url = new URL(request.url ?? '/', 'http://plane');
    const path = `${request.method} ${url.pathname}`;
    if (path === 'POST /api/internal/export-jobs/claim') {
      plane.claims.push(body);
      const jobs = plane.pending.splice(0, Number(body['limit']));
      return send(200, { data: { claimed: jobs.length, jobs } });
    }
    if (path === 'GET /api/internal/export-jobs/pollable') {
      return send(200, { data: { jobs: plane.pollable.splice(0, Number(url.searchParams.get('limit'))) } });
    }
    if (path === 'GET /api/internal/export-jobs') {
      const ids = (url.searchParams.get('ids') ?? '').split(',').map(Number);
      plane.questions.push(ids);
      const jobs = ids.flatMap((id) => {
        const status = plane.statuses.get(id) ?? { status: 'submitted', attempt: 1 };
        return plane.statuses.get(id) === null ? [] : [{ id, ...status }];
      });
      return send(200, { data: { jobs } });
    }
    const jobId = /^PATCH \/api\/internal\/export-jobs\/(\d+)$/.exec(path)?.[1];
    if (jobId === undefined) return send(404, {});
    const report = { jobId: Number(jobId), body };
    const other = plane.onReport(report);
    if (other !== null) return send(other.status, other.body ?? {});
    plane.reports.push(report);
    send(200, { data: { id: report.jobId, snapshot_id: 1, status: body['status'], row_count: null } });
  };

  const server = createServer((request, response) => void handle(request, response));
  let port = 0;
  const listen = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  await listen();
  return Object.assign(plane, { url: `http://127.0.0.1:${port}` });
};
