import { right } from 'fp-ts/Either';
import { type PodRuntime } from '../../domain/ports/pod-runtime';

/** Starts nothing: instances wait in `starting` for pods that somebody else runs. */
export const noPodRuntime: PodRuntime = {
  createPod: () => Promise.resolve(right(undefined)),
  deletePod: () => Promise.resolve(right(undefined)),
  resizePod: () => Promise.resolve(right(undefined)),
  listPods: () => Promise.resolve(right([])),
  onPodEnded: () => () => undefined,
};
