import { openStandInPods } from '../../adapters/local-process/stand-in-pods';
import { describePodRuntime } from './pod-runtime-contract';

describePodRuntime('local processes', async () => {
  const pods = await openStandInPods();
  return {
    runtime: pods.runtime,
    running: (instanceId) => Promise.resolve(pods.programsOf(instanceId).length),
    // The pod may exit before it can answer.
    exit: (urlSlug, code) => pods.ask(urlSlug, `/exit?code=${code}`).then(ignore, ignore),
    exceedMemory: (urlSlug) => pods.ask(urlSlug, `/hold?bytes=${300 * 1024 * 1024}`).then(ignore, ignore),
    close: () => pods.close(),
  };
});

const ignore = (): void => undefined;
