package console

import (
	"fmt"

	"purr/models"
)

// chart is a picture of bars side by side; see parts/chart.html. The figures stand beside it in a table as well.
type chart struct {
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

// series is what one colour of a chart shows: a value for each label.
type series struct {
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

// newChart returns a chart of one or more series of values, none of them negative. show writes a value.
func newChart(name string, labels []string, all []series, show func(int64) string) chart {
	c := chart{Name: name}
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

// weeks returns the weeks of a period of days, both inclusive, by their numbers, and the week of each day.
func (w *words) weeks(first, last models.Date) (names []string, of func(models.Date) int) {
	monday := first - models.Date((int(first.Weekday())+6)%7)
	of = func(d models.Date) int { return int(d-monday) / 7 }
	for day := monday; day <= last; day += 7 {
		_, week := day.Time().ISOWeek()
		names = append(names, w.say("chart.week", "n", week))
	}
	return names, of
}
