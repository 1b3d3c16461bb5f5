import { type RequestListener, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Requests of one connection that are worked on at the same time. */
const AT_ONCE = 32;

/**
 * Works on so many requests of a connection at once. The next ones wait, and nothing more is read from the connection until
 * the last of them has begun: Node.js reads ahead as long as no answers pile up, and would begin all there are.
 */
export const limitPipelining = (listener: RequestListener, atOnce = AT_ONCE): RequestListener => {
  const connections = new WeakMap<Socket, PipelinedRequests>();
  return (request, response) => {
    const { socket } = request;
    let requests = connections.get(socket);
    if (requests === undefined) {
      requests = new PipelinedRequests(socket, atOnce);
      connections.set(socket, requests);
    }
    requests.add({ response, begin: () => listener(request, response) });
  };
};

interface PipelinedRequest {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/** The requests of a connection, in the order they came. */
class PipelinedRequests {
  private readonly underWay = new Set<ServerResponse>();
  private waiting: PipelinedRequest[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly atOnce: number,
  ) {
    socket.on('resume', () => this.pauseAgain());
    socket.once('close', () => this.end());
  }

  add(request: PipelinedRequest): void {
    if (this.underWay.size < this.atOnce && this.waiting.length === 0) return this.begin(request);
    this.waiting.push(request);
    this.socket.pause();
  }

  private begin({ response, begin }: PipelinedRequest): void {
    this.underWay.add(response);
    response.once('close', () => {
      this.underWay.delete(response);
      // The event loop turns first, so that other connections have their turn.
      if (this.waiting.length > 0) setImmediate(() => this.beginNext());
    });
    begin();
  }

  private beginNext(): void {
    const next = this.underWay.size < this.atOnce ? this.waiting.shift() : undefined;
    if (next === undefined) return;
    if (this.waiting.length === 0) this.socket.resume();
    this.begin(next);
  }

  /**
   * Node.js resumes the connection whenever a request has been read to its end. A pause only counts while it flows, which it
   * does not when it was paused since.
   */
  private pauseAgain(): void {
    if (this.waiting.length === 0) return;
    if (this.socket.isPaused()) this.socket.resume();
    else this.socket.pause();
  }

  /** Node.js tells only the answer that was being sent that its client is gone; those behind it would go on for nobody. */
  private end(): void {
    this.waiting = [];
    for (const response of this.underWay) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }
}
