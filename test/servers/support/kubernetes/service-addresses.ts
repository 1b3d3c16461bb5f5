import { setTimeout as sleep } from 'node:timers/promises';
import { type Balancer, startBalancer } from './balancer';
import { type KubeApi } from './kube-api';
import { type PodObject } from './kube-objects';

interface ServiceObject {
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
  };
}

/** Replaces the DNS and proxies of a cluster: addresses on this machine for the Services of a namespace. */
export interface ServiceAddresses {
  /** A text in which the address of a Service is replaced by one on this machine. */
  readonly locally: (value: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const FOLLOW_MS = 100;

export const serviceAddresses = (api: KubeApi, namespace: string): ServiceAddresses => {
  const origin = new RegExp(`http://([a-z0-9-]+)\\.${namespace}:(\\d+)`);
  const balancers = new Map<string, Promise<Balancer>>();
  const closing = new AbortController();
  const path = `/api/v1/namespaces/${namespace}`;

  const follow = async (name: string, port: number, balancer: Balancer): Promise<void> => {
    const { spec } = await api.call<ServiceObject>('GET', `${path}/services/${name}`);
    const selector = Object.entries(spec.selector).map((pair) => pair.join('='));
    const { targetPort } = spec.ports.find((one) => one.port === port) ?? {};
    const query = `${path}/pods?labelSelector=${encodeURIComponent(selector.join())}`;
    const { items } = await api.call<{ readonly items: readonly PodObject[] }>('GET', query);
    balancer.targets = items.flatMap(({ metadata, spec: pod, status }) => {
      const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
      const target = pod?.containers[0]?.ports?.find((one) => one.name === targetPort)?.containerPort;
      const host = status?.podIP;
      return !isReady || metadata?.deletionTimestamp !== undefined || host === undefined || target === undefined
        ? []
        : [{ host, port: target }];
    });
  };
  const open = async (name: string, port: number): Promise<Balancer> => {
    const balancer = await startBalancer();
    // A Service may be created later than the pods that name it.
    const tryToFollow = (): Promise<void> => follow(name, port, balancer).catch(() => undefined);
    await tryToFollow();
    const loop = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        await sleep(FOLLOW_MS);
        await tryToFollow();
      }
      balancer.close();
    };
    void loop();
    return balancer;
  };
  return {
    locally: async (value) => {
      const [found, name, port] = origin.exec(value) ?? [];
      if (found === undefined || name === undefined) return value;
      const opened = balancers.get(found) ?? open(name, Number(port));
      balancers.set(found, opened);
      return value.replace(found, (await opened).url);
    },
    close: async () => {
      closing.abort();
      await Promise.all(balancers.values());
    },
  };
};
