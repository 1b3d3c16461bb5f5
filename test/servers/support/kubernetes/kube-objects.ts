import { type V1ContainerState, type V1Pod, type V1Probe } from '@kubernetes/client-node';

/** The JSON of an object of the client, which is a class there. */
type Plain<A> = A extends Date ? Date : A extends object ? { [K in keyof A]: Plain<A[K]> } : A;

export type PodObject = Plain<V1Pod>;
export type ContainerState = Plain<V1ContainerState>;
export type Probe = Plain<V1Probe>;
export type Container = NonNullable<PodObject['spec']>['containers'][number];
