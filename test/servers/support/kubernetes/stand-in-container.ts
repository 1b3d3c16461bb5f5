import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessExit } from '../../../../adapters/system/launch-process';
import { type StartContainer } from './container-process';
import { containerOf } from './pod-folder';

/**
 * A pod without a program: it answers health checks, and sends the reports of a pod to the control plane with the pod's
 * own token. A test can run hundreds of them.
 */
export const startStandInContainer: StartContainer = (pod, podIp, folder) => {
  const { environment } = folder;
  const ending = new AbortController();
  let end: (exit: ProcessExit) => void = () => undefined;
  const exited = new Promise<ProcessExit>((resolve) => (end = resolve));
  const server = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
  );
  server.listen(Number(containerOf(pod).ports?.[0]?.containerPort), podIp);

  const report = async (body: object, forMs: number): Promise<void> => {
    const until = Date.now() + forMs;
    const url = `${environment['ROWGRAPH_POD_CONTROL_PLANE_URL']}/api/internal/instances/${environment['ROWGRAPH_POD_INSTANCE_ID']}/status`;
    const token = await readFile(environment['ROWGRAPH_POD_TOKEN_FILE'] ?? '', 'utf8');
    const headers = { Authorization: `Bearer ${token}`, 'X-Component': 'wrapper', 'Content-Type': 'application/json' };
    const send = () =>
      fetch(url, { method: 'PUT', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) }).then(
        ({ status }) => status < 500,
        () => false,
      );
    while (!ending.signal.aborted && Date.now() < until && !(await send())) await sleep(500);
  };
  const ready = {
    status: 'running',
    pod_ip: podIp,
    instance_url: environment['ROWGRAPH_POD_INSTANCE_URL'],
    graph_stats: { node_count: 1, edge_count: 0 },
  };
  void report({ status: 'starting' }, 60_000).then(() => report(ready, 60_000));

  const finish = (exit: ProcessExit): Promise<boolean> => {
    ending.abort();
    server.close();
    server.closeAllConnections();
    end(exit);
    return Promise.resolve(true);
  };
  return {
    // A number that is not a process id.
    pid: 2 ** 30,
    exited,
    terminated: exited,
    stop: async () => {
      await report({ status: 'stopping' }, 1);
      return finish({ code: 0, signal: null });
    },
    kill: () => finish({ code: null, signal: 'SIGKILL' }),
  };
};
