import { UnavailableError } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { type Channel, credentials, type ServiceError } from '@grpc/grpc-js';
import { BatchingClient } from './batching-client';

/** Timeout for the response of a node that is reported as the leader. */
const ANSWERS_WITHIN_MS = 1_000;

/**
 * The client of a cluster. For some seconds after a leader stops responding, the other nodes still report it as the
 * leader: the library would connect to it again, and its calls would hang. This client calls only nodes that respond.
 */
export class ClusterClient extends BatchingClient {
  private readonly connect: BatchingClient['getChannel'] = this['getChannel'];
  private readonly probes = new WeakMap<Channel, Promise<void>>();

  protected override getChannel: BatchingClient['getChannel'] = async () => {
    const channel = await this.connect();
    const answer = this.probes.get(channel) ?? this.probe(channel);
    this.probes.set(channel, answer);
    await answer;
    return channel;
  };

  private async probe(channel: Channel): Promise<void> {
    // The credentials of the channel are reused.
    const node = new GossipClient(channel.getTarget(), credentials.createInsecure(), { channelOverride: channel });
    const options = this.callArguments({ deadline: ANSWERS_WITHIN_MS });
    const failure = await new Promise<ServiceError | null>((resolve) => node.read(new Empty(), ...options, resolve));
    if (failure === null) return;
    // Closes and drops the channel, so that the next call looks up the leader again.
    await this.handleError(node, new UnavailableError(failure));
    throw new Error(`Failed to discover a leader that answers: ${failure.message}`);
  }
}
