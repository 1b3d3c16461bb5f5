import { type OpenSpan, type SpanOptions, type Tracing } from './otlp-tracing';

let tracing: Tracing | null = null;
const NO_SPAN: OpenSpan = { note: () => undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the standard variables of OpenTelemetry configure an endpoint for traces. */
const isTraced = (env: Environment): boolean =>
  env['OTEL_SDK_DISABLED'] !== 'true' &&
  (env['OTEL_TRACES_EXPORTER'] ?? 'otlp') === 'otlp' &&
  (env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '') !== '';

/** Starts tracing if the environment configures it; loads the SDK only then. Returns a function that stops tracing. */
export const startTracing = async (serviceName: string): Promise<() => Promise<void>> => {
  if (!isTraced(process.env)) return () => Promise.resolve();
  const { openOtlpTracing } = await import('./otlp-tracing.js');
  const opened = openOtlpTracing(serviceName);
  tracing = opened;
  return () => opened.close();
};

/** Runs a function in a span. A rejection, or a result that is a `Left`, marks the span as failed. */
export const inSpan = <A>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<A>): Promise<A> =>
  tracing?.inSpan(name, options, work) ?? work(NO_SPAN);

/** The `traceparent` of the current span, or undefined. */
export const currentTraceparent = (): string | undefined => tracing?.current()?.traceparent;

/** The fields of the current span for a log line; a new object each time. */
export const loggedSpan = (): { trace_id?: string; span_id?: string } => {
  const span = tracing?.current();
  return span == null ? {} : { trace_id: span.traceId, span_id: span.spanId };
};

/** Variables that are not inherited: the service name, and headers, which contain secrets. */
const NOT_INHERITED = /^OTEL_SERVICE_NAME$|HEADERS$/;

/** The variables with which a child program continues the trace; `withSecrets`: including those with secrets. */
export const tracedEnvironment = (withSecrets: boolean): Record<string, string> => {
  if (tracing === null) return {};
  const traceparent = currentTraceparent();
  const inherited = Object.entries(process.env).flatMap(([name, value = '']) =>
    name.startsWith('OTEL_') && (!NOT_INHERITED.test(name) || (withSecrets && name.endsWith('HEADERS')))
      ? [[name, value] as const]
      : [],
  );
  return { ...Object.fromEntries(inherited), ...(traceparent !== undefined && { TRACEPARENT: traceparent }) };
};
