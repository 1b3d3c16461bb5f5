import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID';
import { type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { parseJson } from '../../domain/kernel/codecs';
import { type LogPlace, type LogRecord } from './log-client';

/** The position that the server sends for an event without a position. */
const NO_POSITION = 0xffff_ffff_ffff_ffffn;
/** The server measures time in .NET ticks of 100 ns, here since 1970. */
const TICKS_PER_MS = 10_000n;

/** A received event. Each part is decoded when it is read; for foreign events, only the parts that identify them. */
export class ReceivedRecord implements LogRecord {
  constructor(private readonly event: ReadResp.ReadEvent.RecordedEvent) {}

  get streamId(): string {
    return textOf(this.event.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array());
  }

  get id(): string {
    return parseUUID(this.event.getId()) ?? '';
  }

  get revision(): bigint {
    return BigInt(this.event.getStreamRevision());
  }

  get type(): string {
    return this.header('type');
  }

  get isJson(): boolean {
    return this.header('content-type') === 'application/json';
  }

  get data(): unknown {
    return parseJson(textOf(this.event.getData_asU8()));
  }

  get metadata(): unknown {
    return parseJson(textOf(this.event.getCustomMetadata_asU8()));
  }

  get created(): Date {
    return new Date(Number(BigInt(this.header('created') || 0) / TICKS_PER_MS));
  }

  get place(): LogPlace | null {
    const commit = BigInt(this.event.getCommitPosition());
    return commit === NO_POSITION ? null : { commit, prepare: BigInt(this.event.getPreparePosition()) };
  }

  private header(name: string): string {
    return this.event.getMetadataMap().get(name) ?? '';
  }
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
