import { describeWithEventStore } from './support/event-store-command';
import { startEventStoreServer } from './support/event-store-server';
import { takesAppends } from './support/takes-appends';

jest.setTimeout(180_000);

describeWithEventStore('a server for tests', () => {
  it('takes appends, is killed, comes back with its data, stands still and goes on', async () => {
    const server = await startEventStoreServer();
    try {
      await server.kill();
      expect(await takesAppends(server.connectionString)).toBe(false);
      await server.restart();
      server.freeze();
      expect(await takesAppends(server.connectionString)).toBe(false);
      server.thaw();
      await server.untilReady();
    } finally {
      await server.stop();
    }
    expect(server.isRunning()).toBe(false);
  });

  it('speaks TLS with a certificate of its own authority', async () => {
    const server = await startEventStoreServer({ tls: true });
    try {
      expect(await takesAppends(server.connectionString)).toBe(true);
    } finally {
      await server.stop();
    }
  });
});
