import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';
import { SnapshotStatus } from '../../domain/snapshot';
import { InstanceOfSnapshot } from './instance';

/** The progress of an export, one step per definition. */
const SnapshotProgress = t.strict({
  /** The current activity that a worker reports, or null. */
  phase: nullable(t.string),
  /** The definition being exported, null when none is. */
  current_step: nullable(t.string),
  completed_steps: t.number,
  total_steps: t.number,
});

const Counts = t.record(t.string, t.number);

export const SnapshotView = t.strict({
  id: t.number,
  mapping_id: t.number,
  mapping_name: t.string,
  mapping_version: t.number,
  owner_username: t.string,
  name: t.string,
  description: t.string,
  storage_path: t.string,
  size_bytes: nullable(t.number),
  node_counts: Counts,
  edge_counts: Counts,
  status: SnapshotStatus,
  /** Null before its jobs are planned and once it is ready or failed. */
  progress: nullable(SnapshotProgress),
  error_message: nullable(t.string),
  /** The failed step, if the worker reported it. */
  failed_step: nullable(t.string),
  created_at: t.string,
  updated_at: t.string,
  ttl: nullable(t.string),
  inactivity_timeout: t.string,
});

export const SnapshotListView = t.strict({ ...SnapshotView.type.props, instance_count: t.number });
export type SnapshotListView = t.TypeOf<typeof SnapshotListView>;

export const SnapshotDetailView = t.strict({
  ...SnapshotView.type.props,
  last_used_at: nullable(t.string),
  instances: t.readonlyArray(InstanceOfSnapshot),
});
export type SnapshotDetailView = t.TypeOf<typeof SnapshotDetailView>;

/** A stored Parquet file of a definition. */
export const FileToLoad = t.strict({
  /** `file://`, or a URL that expires. */
  address: t.string,
  bytes: t.number,
  /** SHA-256 in hex digits; null without a manifest. */
  checksum: nullable(t.string),
});
export type FileToLoad = t.TypeOf<typeof FileToLoad>;

/** Some files of a definition. */
export const FilePage = t.strict({
  files: t.readonlyArray(FileToLoad),
  /** `after` of the next page; null after the last one. */
  next: nullable(t.number),
});
export type FilePage = t.TypeOf<typeof FilePage>;

/** The record of a complete attempt; its file is stored last. */
export const Manifest = t.strict({
  files: t.readonlyArray(t.strict({ file: t.string, rows: t.Integer, bytes: t.Integer, sha256: t.string })),
  rows: t.Integer,
});
export type Manifest = t.TypeOf<typeof Manifest>;
