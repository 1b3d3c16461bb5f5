import { EventStoreDBClient } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError';
import { createStreamIdentifier } from '@eventstore/db-client/dist/utils/grpcStreamIdentifier';
import { createUUID, parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  BatchAppendReq,
  type BatchAppendResp,
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb';
import { type ClientReadableStream } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { v4 } from 'uuid';
import { type ExpectedRevision } from '../../domain/ports/event-store';
import { type OutgoingRecord, type Written } from './log-client';

/** The server accepts messages of up to 4 MiB by default, and an append may consist of several messages. */
const MESSAGE_BYTES = 3 * 1024 * 1024;

interface Pending {
  readonly streamName: string;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

/** The call for the appends of one connection, and the appends that wait for their response. */
interface BatchCall {
  readonly write: (request: BatchAppendReq) => void;
  readonly pending: Map<string, Pending>;
  hasEnded: boolean;
}

/**
 * The client with its own batch appends. Those of the library keep the pending appends of all clients of a process in
 * one table: when a call of one client ends, those of all others are rejected, and the next response to one of them
 * ends the process with an uncaught TypeError.
 */
export class BatchingClient extends EventStoreDBClient {
  private batch: Promise<BatchCall> | null = null;
  private readonly reconnect: EventStoreDBClient['handleError'] = this['handleError'];
  /**
   * The library does not handle this promise: it rejects if a leader is not found in time, and the unhandled rejection
   * would end the process.
   */
  protected override handleError: EventStoreDBClient['handleError'] = (...failure) =>
    this.reconnect(...failure).catch(() => undefined);

  /** Rejects as `appendToStream` does; if the call ends, with the reason. */
  async append(streamName: string, expected: ExpectedRevision, events: readonly OutgoingRecord[]): Promise<Written> {
    const call = await (this.batch ??= this.openBatch());
    if (call.hasEnded) throw new Error('The call of appends ended before this one was sent');
    return new Promise((resolve, reject) => {
      const id = v4();
      call.pending.set(id, { streamName, resolve, reject });
      for (const request of requestsOf(id, streamName, expected, events)) call.write(request);
    });
  }

  /** Sends a request to the leader; `receive` reads the responses. */
  read(request: ReadReq): Promise<ClientReadableStream<ReadResp>> {
    const open = this.GRPCStreamCreator(StreamsClient, 'read', (client) =>
      client.read(request, ...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    );
    return open();
  }

  /** Ends all calls and closes the connection; `dispose` leaves it open. */
  async close(): Promise<void> {
    await this.dispose();
    // Looks up the leader if a channel is not open yet.
    (await this.getChannel()).close();
  }

  /** Drops the call when it ends or fails to open, so that the next append opens another one. */
  private openBatch(): Promise<BatchCall> {
    const forget = (): void => {
      if (this.batch === opening) this.batch = null;
    };
    const opening = this.makeCall(forget);
    opening.catch(forget);
    return opening;
  }

  private async makeCall(onEnd: () => void): Promise<BatchCall> {
    const pending = new Map<string, Pending>();
    const end = (error: Error): void => {
      call.hasEnded = true;
      onEnd();
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    const open = this.GRPCStreamCreator(StreamsClient, 'batchAppend', (client) => {
      const stream = client.batchAppend(...this.callArguments({ requiresLeader: true }, { deadline: Infinity }));
      stream.on('data', (response: BatchAppendResp) => settle(pending, response));
      stream.on('error', (error: Error) => end(convertToCommandError(error)));
      stream.on('end', () => end(new Error('The server ended the call of appends')));
      return stream;
    });
    const call: BatchCall = { write: (request) => void stream.write(request), pending, hasEnded: false };
    const stream = await open();
    return call;
  }
}

const settle = (pending: Map<string, Pending>, response: BatchAppendResp): void => {
  const id = parseUUID(response.getCorrelationId()) ?? '';
  const append = pending.get(id);
  if (append === undefined) return;
  pending.delete(id);
  const [failure, success] = [response.getError(), response.getSuccess()];
  if (failure !== undefined) {
    // The library's function throws for responses without details.
    append.reject(
      failure.hasDetails() ? unpackToCommandError(failure, append.streamName) : new Error(failure.getMessage()),
    );
    return;
  }
  if (success === undefined) {
    append.reject(new Error('The server answered an append with neither success nor error'));
    return;
  }
  const position = success.getPosition();
  append.resolve({
    revision: Number(success.getCurrentRevision()),
    place: position
      ? { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) }
      : null,
  });
};

function* requestsOf(
  id: string,
  streamName: string,
  expected: ExpectedRevision,
  events: readonly OutgoingRecord[],
): Generator<BatchAppendReq> {
  const options = new BatchAppendReq.Options().setStreamIdentifier(createStreamIdentifier(streamName));
  if (expected === 'no_stream') options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  let request = new BatchAppendReq().setCorrelationId(createUUID(id)).setOptions(options).setIsFinal(false);
  let bytes = 0;
  for (const event of events) {
    const size = event.data.length + event.metadata.length;
    if (bytes > 0 && bytes + size > MESSAGE_BYTES) {
      yield request;
      request = new BatchAppendReq().setCorrelationId(createUUID(id)).setIsFinal(false);
      bytes = 0;
    }
    bytes += size;
    request.addProposedMessages(proposed(event));
  }
  yield request.setIsFinal(true);
}

const proposed = ({ id, type, data, metadata }: OutgoingRecord): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage();
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message.setId(createUUID(id)).setData(data).setCustomMetadata(metadata);
};
