import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { packageVersion } from './package-root';
import { settlesWithin } from './time-limit';

/** A span in progress. */
export interface OpenSpan {
  /** Renames the span and adds attributes. */
  readonly note: (name: string, attributes: SpanAttributes) => void;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  /** The parent span as a `traceparent`, possibly of another process. Absent: the current span. */
  readonly parent?: string | null | undefined;
  /** Whether it starts a trace without a parent; otherwise the work is not traced. */
  readonly isRoot?: boolean;
  readonly kind?: 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** When it began, if that was before this call. */
  readonly startedAt?: Date;
}

/** The tracer of this process. */
export interface Tracing {
  inSpan<A>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<A>): Promise<A>;
  /** The `traceparent` of the current span. */
  current(): { readonly traceId: string; readonly spanId: string; readonly traceparent: string } | null;
  /** Flushes pending spans, with a timeout of two seconds. */
  close(): Promise<void>;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
const CLOSE_WITHIN_MS = 2_000;

/** Traces by the SDK of OpenTelemetry, sent over HTTP; the SDK reads the other standard variables. */
export const openOtlpTracing = (serviceName: string): Tracing => {
  const named = resourceFromAttributes({ 'service.name': serviceName, 'service.version': packageVersion });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = trace.getTracer('rowgraph', packageVersion);
  return {
    inSpan: async (name, options, work) => {
      const before = contextBefore(options);
      if (options.isRoot !== true && trace.getSpanContext(before) === undefined) {
        return work({ note: () => undefined });
      }
      const { kind, attributes, startedAt } = options;
      const span = tracer.startSpan(
        name,
        {
          ...(kind && { kind: KINDS[kind] }),
          ...(attributes && { attributes }),
          ...(startedAt && { startTime: startedAt }),
        },
        before,
      );
      const openSpan = {
        note: (name: string, more: typeof attributes = {}) => void span.updateName(name).setAttributes(more),
      };
      try {
        const result = await context.with(trace.setSpan(before, span), () => work(openSpan));
        if (isFailure(result)) fail(span, '');
        return result;
      } catch (error) {
        fail(span, String(error));
        throw error;
      } finally {
        span.end();
      }
    },
    current: () => {
      const span = trace.getSpanContext(context.active());
      if (span === undefined) return null;
      const { traceId, spanId, traceFlags } = span;
      return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` };
    },
    close: async () => {
      await settlesWithin(provider.shutdown(), CLOSE_WITHIN_MS).catch(() => false);
    },
  };
};

const contextBefore = ({ parent }: SpanOptions): Context =>
  parent == null ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent: parent });

const isFailure = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && '_tag' in result && result._tag === 'Left';

const fail = (span: Span, message: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message });
