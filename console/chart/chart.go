// Package chart lays out pictures of bars: it turns values into lengths and places. It knows nothing else of ours.
package chart

import "fmt"

// Chart is a picture of bars side by side; see parts/chart.html. The figures stand beside it in a table as well.
type Chart struct {
	Name   string // what a reader who does not see it is told
	Legend []swatch
	Lines  []mark // of the scale
	Bars   []bar
	Labels []mark // below the bars
}

type swatch struct{ Class, Name string }

type mark struct {
	X, Y int
	Text string
}

type bar struct {
	X, Y, Width, Height int
	Class, Title        string
}

// Series is what one colour of a chart shows: a value for each label.
type Series struct {
	Name   string
	Values []int64
}

// The room of a chart, in the units of its viewBox: 720 wide and 260 high.
const (
	chartLeft, chartRight = 64, 712
	chartTop, chartFoot   = 12, 228
	chartLines            = 4
)

// chartClasses are the colours, one for each series.
var chartClasses = []string{"a", "b", "c", "d"}

// New returns a chart of one or more series of values, none of them negative. show writes a value.
func New(name string, labels []string, all []Series, show func(int64) string) Chart {
	c := Chart{Name: name}
	top := int64(1)
	for _, s := range all {
		for _, v := range s.Values {
			top = max(top, v)
		}
	}
	top = roundUp(top)
	y := func(v int64) int { return chartFoot - int(v*(chartFoot-chartTop)/top) }
	for i := range int64(chartLines + 1) {
		if v := top * i / chartLines; v*chartLines == top*i { // a part of one is no line
			c.Lines = append(c.Lines, mark{chartLeft, y(v), show(v)})
		}
	}
	room := float64(chartRight-chartLeft) / float64(max(len(labels), 1))
	width := room * 0.8 / float64(max(len(all), 1))
	every := len(labels)/12 + 1
	for i, label := range labels {
		begin := chartLeft + room*(float64(i)+0.1)
		for n, s := range all {
			c.Bars = append(c.Bars, bar{
				X: int(begin + width*float64(n)), Y: y(s.Values[i]), Width: max(int(width)-1, 1), Height: chartFoot - y(s.Values[i]),
				Class: chartClasses[n%len(chartClasses)], Title: fmt.Sprintf("%s, %s: %s", label, s.Name, show(s.Values[i])),
			})
		}
		if i%every == 0 {
			c.Labels = append(c.Labels, mark{int(chartLeft + room*(float64(i)+0.5)), chartFoot + 18, label})
		}
	}
	for n, s := range all {
		c.Legend = append(c.Legend, swatch{chartClasses[n%len(chartClasses)], s.Name})
	}
	return c
}

// roundUp returns the next 4, 8, 12, 20, 40, 80, 120 and so on: a scale of four lines with whole numbers.
func roundUp(v int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{4, 8, 12, 20} {
			if v <= n*unit {
				return n * unit
			}
		}
	}
}
