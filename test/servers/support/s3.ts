import { CreateMultipartUploadCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { type S3Settings } from '../../../adapters/contracts/object-store-settings';

/** The S3 server of the environment (`S3_ENDPOINT`, `S3_BUCKET`, `AWS_…`); null without one. */
export const s3OfTest = () => {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket = 'rowgraph', AWS_REGION: region = 'us-east-1' } = process.env;
  if (endpoint === undefined) return null;
  const client = new S3Client({ endpoint, region, forcePathStyle: true });
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
  return {
    bucket,
    endpoint,
    credentials: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION: region },
    settings: (prefix: string): S3Settings => ({
      ...{ bucket, prefix, endpoint, region, pathStyle: true, encryption: null, checksums: 'supported' },
    }),
    /** Starts an upload that is never completed. */
    beginUpload: (key: string) => client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key })),
    setPolicy: (statements: readonly object[]) =>
      client.send(
        new PutBucketPolicyCommand({
          Bucket: bucket,
          Policy: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
        }),
      ),
  };
};
