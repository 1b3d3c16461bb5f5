import { untilRunning } from '../adapters/cli/progress-display';
import { type ApiClient, createApiClient, type Identity, type InstanceKind } from '../adapters/client';
import { need } from './need';

/** The ops user of `withBenchSystem`. */
export const OLIVIA: Identity = { kind: 'username', username: 'olivia', edgeToken: null };

export const benchClient = (url: string): ApiClient => createApiClient(url, OLIVIA);

/** Starts an instance of a mapping; resolves with its id and its URL when it runs. */
export const startInstance = async (
  api: ApiClient,
  mapping_id: number,
  wrapper_type: InstanceKind,
  say: (line: string) => void,
): Promise<{ readonly id: number; readonly url: string }> => {
  const { id } = need(await api.createInstance({ body: { mapping_id, name: wrapper_type, wrapper_type } })).data;
  let shown: string | null = null;
  const show = ({ phase }: { readonly phase: string | null }): void => {
    if (phase !== shown) say(`  ${String(phase)}`);
    shown = phase;
  };
  need(await untilRunning(api, id, show, new AbortController().signal));
  const { instance_url: url } = need(await api.getInstance({ params: { id } })).data;
  if (url === null) throw new Error(`Instance ${id} runs without an address.`);
  return { id, url };
};
