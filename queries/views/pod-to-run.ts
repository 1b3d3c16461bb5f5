import * as t from 'io-ts';
import { WrapperType } from '../../domain/instance';

/** An instance that wants a pod, with what the pod is started with. */
export const PodToRun = t.strict({
  instance_id: t.number,
  url_slug: t.string,
  wrapper_type: WrapperType,
  owner_username: t.string,
  status: t.keyof({ starting: null, running: null }),
  memory_bytes: t.number,
  cpu_cores: t.number,
  created_at: t.string,
});
export type PodToRun = t.TypeOf<typeof PodToRun>;
