package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer begins what is told: requests and tasks. A nil one tells nothing.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// Open returns the tracer that the standard variables ask for (OTEL_EXPORTER_OTLP_ENDPOINT, or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT), or nil if
// they name no collector, or turn it off (OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER=none). The others of these variables hold too: headers,
// certificates, timeouts, the sampler, the name of the service. It speaks OTLP over HTTP, and asks nobody whether the collector is there: what
// it does not take is dropped, and told in the log once a minute. The service is purr unless OTEL_SERVICE_NAME or
// OTEL_RESOURCE_ATTRIBUTES name another one.
func Open(ctx context.Context, version string, log *slog.Logger) (*Tracer, error) {
	if !wanted(os.Getenv) {
		return nil, nil //nolint:nilnil // a nil tracer tells nothing
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the traces: %w", err)
	}
	service, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "purr"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("open the traces: %w", err)
	}
	otel.SetErrorHandler(&complaints{log: log})
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(service))
	return &Tracer{provider: provider, tracer: provider.Tracer(instrument)}, nil
}

// wanted reports whether the variables name a collector.
func wanted(variable func(name string) string) bool {
	exporters := strings.Split(variable("OTEL_TRACES_EXPORTER"), ",")
	if strings.EqualFold(variable("OTEL_SDK_DISABLED"), "true") || slices.Contains(exporters, "none") {
		return false
	}
	return variable("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// closeWithin is how long the end of the program waits for a collector.
const closeWithin = 2 * time.Second

// Close tells what is not told yet, and ends. A collector that is away holds the end up for two seconds at most.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // what it could not tell is in the log
	return nil
}

// Request begins a request of a route, such as /api/v1/invoice/{id}. It goes on with the caller's trace, if the caller tells of one.
func (t *Tracer) Request(r *http.Request, method, route string) (*http.Request, Span) {
	if t == nil {
		return r, Span{}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, strings.TrimSpace(method+" "+route), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route)))
	return r.WithContext(ctx), Span{span}
}

// Task begins a task of a kind.
func (t *Tracer) Task(ctx context.Context, kind string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(ctx, "task "+kind, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attribute.String("messaging.operation.name", kind)))
	return ctx, Span{span}
}

// complaints logs what the library complains of, once a minute.
type complaints struct {
	log *slog.Logger

	mu   sync.Mutex
	next time.Time
}

// Handle implements otel.ErrorHandler.
func (c *complaints) Handle(err error) {
	const pause = time.Minute
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.next) {
		return
	}
	c.next = now.Add(pause)
	c.log.Warn("traces are lost: the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take them", "error", err)
}
