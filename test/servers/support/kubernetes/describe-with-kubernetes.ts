/** `describe` where KUBECONFIG names an API server; left out and counted as such elsewhere. */
export const describeWithKubernetes: jest.Describe = process.env['KUBECONFIG'] === undefined ? describe.skip : describe;

/** The kubeconfig of an administrator. */
export const adminKubeconfig = (): string => process.env['KUBECONFIG'] ?? '';
