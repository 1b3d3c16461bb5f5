import { type FieldError } from './codecs';
import { type Excerpt, type TextPlace } from './excerpt';

/** The violated rules of a request; `field` if it is exactly one field. */
type InvalidRequest =
  | {
      readonly field?: string;
      readonly errors: readonly FieldError[];
      readonly requested?: string;
      readonly max_allowed?: string | number;
    }
  | { readonly field: string; readonly available_filters: readonly string[] }
  | { readonly matched_count: number; readonly max_allowed: number }
  | { readonly expected_count: number; readonly actual_count: number }
  | {
      readonly algorithm: string;
      readonly errors: readonly FieldError[];
      readonly invalid_params: readonly string[];
      readonly valid_params: readonly string[];
    }
  | { readonly algorithm: string; readonly most_nodes: number; readonly nodes: number }
  | { readonly algorithm: string; readonly most_edges: number; readonly edges: number };

interface UnknownAlgorithm {
  readonly algorithm: string;
  readonly suggestion: string | null;
  readonly suggestions?: readonly string[];
}

interface RoleTooLow {
  readonly required_role: string;
  readonly your_role: string;
}

interface FailedStatement {
  readonly message: string;
  readonly position: TextPlace | null;
  /** The line at the position, with a caret below it. */
  readonly excerpt?: Excerpt | null;
}

/** How browsers get a token of the identity provider for `audience`: the authorization code flow of a public client. */
export interface ProviderLogin {
  readonly issuer: string;
  readonly audience: string;
  readonly client_id: string;
  readonly scope: string;
}

/** The details of each error code: every way in which a request can be rejected or fail. */
export interface ErrorDetails {
  VALIDATION_FAILED: InvalidRequest;
  VALIDATION_ERROR: InvalidRequest;
  UNPROCESSABLE: InvalidRequest;
  /** `field`: the largest one. */
  PAYLOAD_TOO_LARGE: { readonly max_bytes: number; readonly field?: string };
  /**
   * `field`: the invalid part or claim of a token; `users`: the system has no users yet, and `bootstrap_token`: the
   * first one needs that token; `login`: where browsers get a token.
   */
  UNAUTHORIZED: {
    readonly reason: string;
    readonly field?: string;
    readonly users?: 'none';
    readonly bootstrap_token?: 'required';
    readonly login?: ProviderLogin;
  };
  INVALID_COMPONENT: never;
  MISDIRECTED_REQUEST: never;
  PERMISSION_DENIED:
    | { readonly owner_username: string; readonly your_role?: string }
    | { readonly catalog: string; readonly schema?: string };
  FORBIDDEN: RoleTooLow;
  /** The requested id, under the name of its kind of resource. */
  RESOURCE_NOT_FOUND:
    | {
        readonly [id: `${string}_id`]: string | number;
        readonly resource_type?: string;
        readonly reader?: string;
        readonly query_name?: string;
      }
    | { readonly username: string }
    | { readonly url_slug: string }
    | { readonly catalog: string; readonly schema?: string; readonly table?: string };
  MAPPING_VERSION_NOT_FOUND: {
    readonly mapping_id: number;
    readonly version: number | string;
    readonly latest_version: number;
  };
  ALGORITHM_NOT_FOUND: UnknownAlgorithm;
  ALGORITHM_UNKNOWN: UnknownAlgorithm;
  EXECUTION_NOT_FOUND: { readonly execution_id: string };
  METHOD_NOT_ALLOWED: { readonly allowed_methods: readonly string[] };
  RESOURCE_LOCKED: {
    readonly holder_username: string | null;
    readonly instance_id?: number;
    readonly algorithm_name?: string | null;
    readonly execution_id?: string | null;
    readonly holder_id?: string;
    readonly algorithm?: string;
    readonly acquired_at?: string;
  };
  CONCURRENCY_LIMIT_EXCEEDED: {
    readonly current_count: number;
    readonly max_allowed: number;
    readonly limit_type: 'per_analyst' | 'cluster_total';
  };
  RESOURCE_HAS_DEPENDENCIES:
    | { readonly mapping_id: number; readonly snapshot_count: number }
    | { readonly snapshot_id: number; readonly instance_id: number; readonly instance_status: string };
  INVALID_STATE:
    | { readonly current_status: string; readonly current_memory_gb?: number }
    | { readonly pod_runtime: string }
    | { readonly current_count: number; readonly max_allowed: number }
    | { readonly position: string; readonly first_position: string }
    | { readonly orphaned_pods: number; readonly pods: number }
    | { readonly username: string }
    | { readonly instance_id: number };
  INVALID_STATE_TRANSITION: {
    readonly current_status: string;
    readonly requested_status?: string;
    readonly instance_id?: number;
    readonly snapshot_id?: number;
    readonly export_job_id?: number;
    readonly attempt?: number;
  };
  JOBS_ALREADY_EXIST: { readonly snapshot_id: number; readonly job_count: number };
  ALREADY_EXISTS:
    | { readonly username: string }
    | { readonly name: string }
    | { readonly resource_type: string; readonly resource_id: number };
  CONFLICT: never;
  /** `job_name`: the job whose last trigger was too recent. */
  RATE_LIMIT_EXCEEDED: { readonly job_name?: string; readonly retry_after_seconds: number };
  QUERY_TIMEOUT: { readonly timeout_ms: number };
  QUERYENGINE_ERROR: { readonly catalogs: unknown };
  QUERY_ERROR: { readonly algorithm: string; readonly available: readonly string[] };
  GRAPHDB_A_ERROR: FailedStatement;
  GRAPHDB_B_ERROR: FailedStatement;
  STORAGE_ERROR: never;
  GATEWAY_TIMEOUT: never;
  SERVICE_UNAVAILABLE:
    | { readonly maintenance: true }
    | { readonly instance_id: number }
    | { readonly export_job_id: number }
    | { readonly retry_after_seconds: number }
    /** The error of each component that does not answer. */
    | Readonly<Record<string, string>>;
  /** `unreadable`: why a stored event could not be read. */
  INTERNAL_ERROR: { readonly unreadable: 'unknown_type' | 'bad_data' };
}
