import { setTimeout as sleep } from 'node:timers/promises';
import { type Container, type Probe } from './kube-objects';

/** Whether the container answers; a first success does not wait for a whole period. */
const succeeds = async (ip: string, { ports }: Container, { httpGet, timeoutSeconds = 1 }: Probe): Promise<boolean> => {
  const port = ports?.find(({ name }) => name === httpGet?.port)?.containerPort ?? httpGet?.port;
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  return fetch(`http://${ip}:${String(port)}${httpGet?.path ?? '/'}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
};

/** Reports each decisive answer of a probe until the signal aborts; without a probe, reports one success. */
export const probeContainer = async (
  ip: string,
  container: Container,
  probe: Probe | undefined,
  over: AbortSignal,
  onAnswer: (isAlive: boolean) => void,
): Promise<void> => {
  if (probe?.httpGet === undefined) return onAnswer(true);
  const { periodSeconds = 10, failureThreshold = 3, initialDelaySeconds = 0 } = probe;
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: over }).catch(() => undefined);
  let [failures, isFirst] = [0, true];
  await pause(initialDelaySeconds * 1000);
  const isOver = (): boolean => over.aborted;
  while (!isOver()) {
    const isAlive = await succeeds(ip, container, probe);
    if (isOver()) return;
    failures = isAlive ? 0 : failures + 1;
    if (isAlive || failures >= failureThreshold) onAnswer(isAlive);
    isFirst &&= !isAlive;
    await pause(isFirst ? 100 : periodSeconds * 1000);
  }
};
