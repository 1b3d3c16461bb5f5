import { isLeft } from 'fp-ts/Either';
import { ApiClient, loadKubeConfig, RequestBudget } from '../../../../adapters/kubernetes/api-client';

/** A client with the kubeconfig of a file. */
export const openClient = async (kubeconfig: string): Promise<ApiClient> => {
  const before = process.env['KUBECONFIG'];
  process.env['KUBECONFIG'] = kubeconfig;
  const loaded = await loadKubeConfig();
  process.env['KUBECONFIG'] = before;
  if (isLeft(loaded)) throw new Error(loaded.left);
  return new ApiClient(loaded.right.config, new RequestBudget(100));
};
