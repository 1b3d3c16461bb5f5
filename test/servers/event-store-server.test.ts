import { describeWithEventStore } from './support/event-store-command';
import { startEventStoreServer } from './support/event-store-server';
import { takesAppends } from './support/takes-appends';

jest.setTimeout(180_000);

describeWithEventStore('the test server', () => {
  it('accepts appends, is killed, restarts with its data, is frozen and continues', async () => {
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

  it('serves TLS with a certificate of its own authority', async () => {
    const server = await startEventStoreServer({ tls: true });
    try {
      expect(await takesAppends(server.connectionString)).toBe(true);
    } finally {
      await server.stop();
    }
  });
});
