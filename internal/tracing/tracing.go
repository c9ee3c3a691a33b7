// Package tracing tells a collector of OpenTelemetry what the program does, from a request to the channel that a letter leaves by (rule
// K7). It is on where the standard variables name a collector; off it costs a look at the context. What is told holds IDs and names of
// kinds and routes, never a name, an address or an amount: so a failure is told by its code, without its words. The package knows nothing
// of what is done.
package tracing

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"purr/models"
)

// instrument names what makes the spans.
const instrument = "purr"

// Span is a piece of work that is told. The zero Span is of one that is not.
type Span struct{ of trace.Span }

// End ends the work. Of a failure it tells the code.
func (s Span) End(failure error) {
	if s.of == nil {
		return
	}
	if failure != nil {
		s.of.SetStatus(codes.Error, codeOf(failure))
	}
	s.of.End()
}

// codeOf returns the code of a failure, or internal.
func codeOf(failure error) string {
	if known, is := errors.AsType[*models.Error](failure); is && known.Code != "" {
		return known.Code
	}
	return "internal"
}

// Set adds an ID to what is told, or another number or name of a kind.
func (s Span) Set(attributes ...attribute.KeyValue) {
	if s.of != nil {
		s.of.SetAttributes(attributes...)
	}
}

// Step begins a step of the work that the context is of: a transaction.
func Step(ctx context.Context, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	return within(ctx, name, trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(attributes...))
}

// Call begins what another program is asked for: the hand-over to a channel.
func Call(ctx context.Context, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	return within(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
}

func within(ctx context.Context, name string, how ...trace.SpanStartOption) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := parent.TracerProvider().Tracer(instrument).Start(ctx, name, how...)
	return ctx, Span{span}
}

// Mark returns what Resume needs to go on with the work of the context, for a row to keep: the traceparent of the W3C, of at most
// MaxMark bytes. It is empty where nothing is told.
func Mark(ctx context.Context) string {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceParent]
}

// MaxMark is the most bytes of a mark.
const MaxMark = 55

const traceParent = "traceparent"

// Resume goes on with the work that a row has the mark of, in a task that the context is of. The two are linked. Without a mark it is a
// step of the task.
func Resume(ctx context.Context, mark, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	task := trace.SpanFromContext(ctx)
	if !task.IsRecording() {
		return ctx, Span{}
	}
	how := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attributes...)}
	if mark != "" {
		how = append(how, trace.WithLinks(trace.Link{SpanContext: task.SpanContext()}))
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceParent: mark})
	}
	ctx, span := task.TracerProvider().Tracer(instrument).Start(ctx, name, how...)
	return ctx, Span{span}
}
