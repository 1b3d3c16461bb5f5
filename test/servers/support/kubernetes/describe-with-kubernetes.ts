/** `describe` if KUBECONFIG names an API server; otherwise the tests are skipped and counted as skipped. */
export const describeWithKubernetes: jest.Describe = process.env['KUBECONFIG'] === undefined ? describe.skip : describe;

/** The kubeconfig of an administrator. */
export const adminKubeconfig = (): string => process.env['KUBECONFIG'] ?? '';
