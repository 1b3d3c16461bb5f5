import { type Either, right } from 'fp-ts/Either';
import { type StartFailure } from '../system/closers';
import { openKubernetesPods } from './kubernetes-pods';
import { type ChosenPodRuntime, localPods, podsElsewhere } from './pods';
import { type Startup } from './startup';

/** The runtime that the settings name. */
export const choosePodRuntime = async (startup: Startup): Promise<Either<StartFailure, ChosenPodRuntime>> => {
  const { kubernetes, podRuntime } = startup.settings;
  if (kubernetes !== null) return openKubernetesPods(kubernetes, startup);
  return right(podRuntime === 'none' ? podsElsewhere : localPods(startup));
};
