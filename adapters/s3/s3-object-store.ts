import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type MultipartUpload,
  paginateListObjectsV2,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  type Deletion,
  invalidKey,
  isKey,
  isPrefix,
  type ObjectContent,
  type ObjectStore,
  type ObjectStoreError,
  type StoredObject,
} from '../../domain/ports/object-store';
import { type S3Settings } from '../contracts/object-store-settings';
import { outcomeOfStatus, timeCall } from '../system/outside-calls';
import { s3Error } from './s3-error';

const PART_BYTES = 16 * 1024 * 1024;
/** Slightly below the maximum number of parts of an upload. */
const MAX_PARTS = 9_000;
const PARTS_AT_ONCE = 3;
const DELETED_AT_ONCE = 1_000;
const ADDRESS_SECONDS = 900;
/** With pauses of up to 20 s between them: about a minute. */
const ATTEMPTS = 8;
const CONNECT_MS = 5_000;
const SILENCE_MS = 60_000;
/**
 * Credentials without an expiry are reloaded after a minute, since the SDK only renews those that expire within five
 * minutes.
 */
const CREDENTIALS_MS = 360_000;

// The package lock holds a version that supports Node.js 20; later ones warn about themselves.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** An object store in a bucket of S3, or of a server that speaks its protocol. Keys are stored below the prefix. */
export class S3ObjectStore implements ObjectStore {
  readonly root: string;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #encryption: Partial<PutObjectCommandInput>;

  constructor({ bucket, prefix, endpoint, pathStyle, region, encryption, checksums }: S3Settings) {
    const checksumPolicy = checksums === 'supported' ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
    this.root = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#encryption =
      encryption === null ? {} : { ServerSideEncryption: encryption.algorithm, SSEKMSKeyId: encryption.key };
    this.#client = new S3Client({
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      forcePathStyle: pathStyle,
      requestChecksumCalculation: checksumPolicy,
      responseChecksumValidation: checksumPolicy,
      credentials,
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: SILENCE_MS },
    });
    if (checksums === 'required') {
      this.#client.middlewareStack.add(
        (next) => (args) => {
          useMd5(args.request);
          return next(args);
        },
        // After the client's checksums, before its signature.
        { step: 'build', priority: 'low' },
      );
    }
    // Closest to the connection, so that it counts every attempt and no presigning.
    this.#client.middlewareStack.add(
      (next) => (args) =>
        timeCall(
          's3',
          () => next(args),
          ({ response }) => (Answer.is(response) ? outcomeOfStatus(response.statusCode) : 'unavailable'),
        ),
      { step: 'deserialize', priority: 'low', name: 'timeCalls' },
    );
  }

  async put(key: string, { stream, bytes }: ObjectContent): Promise<Either<ObjectStoreError, StoredObject>> {
    if (!isKey(key)) return left(invalidKey(key));
    const counted = { bytes: 0 };
    const upload = new Upload({
      client: this.#client,
      params: {
        ...this.#encryption,
        ...this.#at(key),
        Body: Readable.from(counting(stream, bytes, counted), { objectMode: false }),
      },
      partSize: Math.max(PART_BYTES, Math.ceil((bytes ?? 0) / MAX_PARTS)),
      queueSize: PARTS_AT_ONCE,
    });
    return attempt(key, async () => {
      await upload.done();
      return { key, sizeBytes: counted.bytes };
    });
  }

  async putFile(key: string, localPath: string): Promise<Either<ObjectStoreError, StoredObject>> {
    const { size } = await stat(localPath);
    return this.put(key, { stream: createReadStream(localPath, { highWaterMark: 1024 * 1024 }), bytes: size });
  }

  putText(key: string, text: string): Promise<Either<ObjectStoreError, StoredObject>> {
    const content = Buffer.from(text);
    return this.put(key, { stream: Readable.from([content]), bytes: content.length });
  }

  async getText(key: string): Promise<Either<ObjectStoreError, string>> {
    const read = await this.#get(key);
    return isLeft(read) ? read : right(read.right.toString('utf8'));
  }

  getRange(key: string, start: number, end: number): Promise<Either<ObjectStoreError, Buffer>> {
    return this.#get(key, `bytes=${start}-${end - 1}`);
  }

  async readableAddress(key: string): Promise<Either<ObjectStoreError, string>> {
    if (!isKey(key)) return left(invalidKey(key));
    const command = new GetObjectCommand(this.#at(key));
    return attempt(key, () => getSignedUrl(this.#client, command, { expiresIn: ADDRESS_SECONDS }));
  }

  async list(prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>> {
    if (!isPrefix(prefix)) return left(invalidKey(prefix));
    return attempt(prefix, async () => {
      const found: StoredObject[] = [];
      const pages = paginateListObjectsV2(
        { client: this.#client },
        { Bucket: this.#bucket, Prefix: this.#prefix + prefix },
      );
      for await (const { Contents: objects = [] } of pages) {
        for (const { Key: full = '', Size: sizeBytes = 0 } of objects) {
          // S3 consoles create folders as empty objects.
          if (!full.endsWith('/')) found.push({ key: full.slice(this.#prefix.length), sizeBytes });
        }
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async deleteAll(prefix: string): Promise<Either<ObjectStoreError, Deletion>> {
    const listed = await this.list(prefix);
    if (isLeft(listed)) return listed;
    const deletion = { files: 0, bytes: 0, failures: [] as Deletion['failures'][number][] };
    for (let from = 0; from < listed.right.length; from += DELETED_AT_ONCE) {
      const batch = listed.right.slice(from, from + DELETED_AT_ONCE);
      const failures = await this.#deleteBatch(batch);
      if (isLeft(failures)) return failures;
      const failed = new Set(failures.right.map(({ key }) => key));
      const deleted = batch.filter(({ key }) => !failed.has(key));
      deletion.files += deleted.length;
      deletion.bytes += deleted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      deletion.failures.push(...failures.right);
    }
    return right(deletion);
  }

  async removeUnfinished(before: Date): Promise<Either<ObjectStoreError, number>> {
    return attempt('', async () => {
      let removed = 0;
      for (const { Key, UploadId, Initiated } of await this.#uploads()) {
        if (Initiated === undefined || Initiated >= before) continue;
        const upload = { Bucket: this.#bucket, Key, UploadId };
        await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(unlessGone);
        removed += 1;
      }
      return removed;
    });
  }

  async #uploads(): Promise<readonly MultipartUpload[]> {
    const found: MultipartUpload[] = [];
    const request: ListMultipartUploadsCommandInput = { Bucket: this.#bucket, Prefix: this.#prefix };
    for (;;) {
      const page = await this.#client.send(new ListMultipartUploadsCommand(request));
      found.push(...(page.Uploads ?? []));
      if (page.IsTruncated !== true) return found;
      request.KeyMarker = page.NextKeyMarker;
      request.UploadIdMarker = page.NextUploadIdMarker;
    }
  }

  /** The keys that could not be deleted. */
  async #deleteBatch(batch: readonly StoredObject[]): Promise<Either<ObjectStoreError, Deletion['failures']>> {
    const objects = batch.map(({ key }) => ({ Key: this.#prefix + key }));
    return attempt(batch[0]?.key ?? '', async () => {
      const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects: objects, Quiet: true } });
      const { Errors: errors = [] } = await this.#client.send(command);
      return errors.flatMap(({ Key: full = '', Code: name, Message: message }) => {
        const key = full.slice(this.#prefix.length);
        const error = s3Error(key, { name, message: `${key}: ${message ?? 'no reason'}` });
        return error.kind === 'not_found' ? [] : [error];
      });
    });
  }

  async #get(key: string, range?: string): Promise<Either<ObjectStoreError, Buffer>> {
    if (!isKey(key)) return left(invalidKey(key));
    return attempt(key, async () => {
      const { Body: body } = await this.#client.send(new GetObjectCommand({ ...this.#at(key), Range: range }));
      return Buffer.from((await body?.transformToByteArray()) ?? []);
    });
  }

  #at(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

/** The default provider chain, which by itself does not reload changed credential files. */
const credentials = async (client?: Parameters<ReturnType<typeof defaultProvider>>[0]) => ({
  expiration: new Date(Date.now() + CREDENTIALS_MS),
  ...(await defaultProvider({ ignoreCache: true })(client)),
});

/** Forwards a stream; fails at its end if it is not `bytes` long (null: any length). */
const counting = async function* (
  stream: AsyncIterable<Uint8Array>,
  bytes: number | null,
  counted: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    counted.bytes += chunk.length;
    yield chunk;
  }
  if (bytes !== null && counted.bytes !== bytes)
    throw new Error(`the stream had ${counted.bytes} bytes instead of ${bytes}`);
};

/**
 * Gives a deletion the MD5 that every server knows. The client calculates a new checksum for it in any case,
 * because deletions must have one.
 */
const useMd5 = (request: unknown): void => {
  if (!DeletionRequest.is(request)) return;
  const others = Object.entries(request.headers).filter(([name]) => !/^x-amz-(sdk-)?checksum-/i.test(name));
  const md5 = createHash('md5').update(request.body).digest('base64');
  Object.assign(request, { headers: { ...Object.fromEntries(others), 'content-md5': md5 } });
};

const DeletionRequest = t.type({
  method: t.literal('POST'),
  query: t.type({ delete: t.unknown }),
  headers: t.record(t.string, t.string),
  body: t.string,
});
const Answer = t.type({ statusCode: t.number });

const unlessGone = (error: unknown): void => {
  if (s3Error('', error).kind !== 'not_found' && !(error instanceof Error && error.name === 'NoSuchUpload'))
    throw error;
};

const attempt = async <A>(key: string, action: () => Promise<A>): Promise<Either<ObjectStoreError, A>> => {
  try {
    return right(await action());
  } catch (error) {
    return left(s3Error(key, error));
  }
};
