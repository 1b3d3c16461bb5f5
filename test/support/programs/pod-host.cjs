'use strict';
/** A control plane that only runs one stand-in pod with a grandchild, and reports that on its IPC channel. */
const { join } = require('node:path');
const { pino } = require('pino');
const { ProcessPodRuntime } = require(join(process.env.DIST, 'adapters/local-process/process-pod-runtime.js'));

const main = async () => {
  const urlSlug = 'a-slug';
  const runtime = new ProcessPodRuntime({
    programPath: join(__dirname, 'stand-in-pod.cjs'),
    directory: process.env.DIRECTORY,
    platformCheck: () => null,
    environmentFor: () => ({ STAND_IN: process.env.STAND_IN ?? '' }),
    log: pino({ level: 'silent' }),
  });
  const spec = {
    instanceId: 7,
    urlSlug,
    life: 1,
    wrapperType: 'graphdb_a',
    ownerUsername: 'ada',
    memoryBytes: 1024 ** 3,
    cpuCores: 1,
    snapshotBytes: 1,
    instanceUrl: 'https://graphs.example/a-slug',
  };
  const listens = new Promise((resolve) => runtime.onPodChanged(({ phase }) => phase === 'ready' && resolve()));
  const created = await runtime.createPod(spec, new AbortController().signal);
  if (created._tag === 'Left') throw new Error(created.left.reason);
  await listens;
  const origin = runtime.routeOf(urlSlug).url;
  const pod = await (await fetch(`${origin}/`)).json();
  const grandchild = await (await fetch(`${origin}/grandchild`)).json();
  process.send({ pod: pod.pid, grandchild: grandchild.pid });
};

void main();
