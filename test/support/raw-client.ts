import { connect, type Socket } from 'node:net';
import { waitFor } from './wait-for';

/** A client that sends raw bytes, and keeps the received ones. */
export interface RawClient {
  readonly socket: Socket;
  received: string;
  /** The server has ended its side. */
  hasEnded: boolean;
  /** The error of the connection. */
  error: Error | null;
}

/** Connects to a port of this machine and writes. The client keeps its side open until it ends it. */
export const rawClient = (port: number, text = ''): RawClient => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const client: RawClient = { socket, received: '', hasEnded: false, error: null };
  socket.setEncoding('latin1').on('data', (chunk: string) => (client.received += chunk));
  socket.on('end', () => (client.hasEnded = true)).on('error', (error) => (client.error = error));
  if (text !== '') socket.write(text);
  return client;
};

/** Writes pieces as fast as the connection accepts them, until `isEnough` holds or the connection fails. */
export const writeUntil = async (client: RawClient, piece: string, isEnough: () => boolean): Promise<void> => {
  await waitFor('the client has written enough', () => {
    while (!isEnough() && client.socket.writable && client.socket.write(piece));
    return isEnough() || client.error !== null;
  });
};
