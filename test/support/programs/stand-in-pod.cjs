'use strict';
/**
 * A pod without a graph: it listens, reports that, and misbehaves on request. `STAND_IN` names its misbehaviour from
 * the start: `fails`, `never-listens`, `ignores-sigterm`, `ignores-hang-up`.
 */
const { fork } = require('node:child_process');
const { createServer } = require('node:http');

const habits = (process.env.STAND_IN ?? '').split(' ');
const hoard = [];
const grandchildren = [];

const hold = (bytes) => {
  for (let held = 0; held < bytes; held += 1 << 24) hoard.push(Buffer.alloc(1 << 24, 1));
};
const startGrandchild = (detached) =>
  new Promise((resolve) => {
    const grandchild = fork(__filename, ['grandchild'], { detached, env: process.env });
    grandchildren.push(grandchild);
    grandchild.once('message', () => resolve({ pid: grandchild.pid }));
  });

const actions = {
  '/': () => ({ pid: process.pid, args: process.argv.slice(2), directory: process.cwd(), environment: process.env }),
  '/health': () => ({ status: 'healthy' }),
  '/exit': (query) => process.exit(Number(query.get('code'))),
  '/hold': (query) => hold(Number(query.get('bytes'))),
  '/write': (query) => process[query.get('to')].write(`${query.get('line')}\n`),
  '/grandchild': (query) => startGrandchild(query.get('detached') === 'true'),
};

if (!habits.includes('ignores-hang-up')) process.on('disconnect', () => process.exit(0));
if (habits.includes('ignores-sigterm')) process.on('SIGTERM', () => undefined);

if (process.argv[2] === 'grandchild') {
  process.on('SIGTERM', () => undefined);
  process.send('ready');
  setInterval(() => undefined, 60_000);
} else if (habits.includes('fails')) {
  console.error('the mapping could not be fetched');
  process.exit(3);
} else {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://pod');
    const answer = await actions[pathname](searchParams);
    response.end(JSON.stringify(answer ?? null));
  });
  server.listen(0, '127.0.0.1', () => {
    if (!habits.includes('never-listens')) process.send({ type: 'listening', port: server.address().port });
  });
}
