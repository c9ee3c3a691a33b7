package bench

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
)

// People are called as in Norway, the commonest name first. Source: Statistics Norway (SSB), names, https://www.ssb.no/befolkning/navn/statistikk/navn:
// table 12891 of last names, and the first names of all who live here on 1 January 2019.
//
// Of last names Hansen is had by 1.0 % (53 948 people), the tenth name (Karlsen) by 0.4 % and the hundredth by 0.07 %: 0.064/(rank + 5.4). The
// twenty commonest come to a tenth of all. Of men 1.8 % are called Jan (47 588), 0.84 % have the tenth name (Arne) and 0.59 % the 28th
// (Tore): a share of 1/(rank + 10). In life the rest of people has some 100 000 rarer names. Here it has those that are made of the parts of farms'
// names, so more people are called alike than there are. How many have two names SSB does not say: doubleFirst and doubleLast are ours.
const (
	men = `Jan Bjørn Per Ole Lars Kjell Thomas Svein Knut Arne Geir Morten Martin Tor Hans Andreas Erik Terje Anders Odd Rune John Daniel Trond Magnus
		Marius Kristian Tore Jon Harald Stian Espen Alexander Henrik Olav Øyvind Christian Gunnar Nils Jonas Rolf Arild Sander Mathias Leif Frode Roger Kristoffer Tom Einar
		Eirik Sverre Petter Johan Tommy Kåre Helge Frank Jakob Sondre Håkon Vidar Steinar Kenneth Ola Karl Sebastian Sindre Egil Fredrik Robert Øystein Simen Håvard Vegard
		Kim Dag Roar Ivar Atle Johannes Jens Otto Asbjørn Torbjørn Mats Finn Benjamin Emil Peter David Oliver Ronny Filip Pål Sigurd Joakim Ørjan Eivind Kurt
		Jørgen Arvid Aleksander Michael Elias William Tobias Adrian Gaute Roy Torgeir Erling Jarle Jostein Halvor Oskar Bård Steffen Anton Kai Lukas Alf Stein Noah
		Willy Viktor Gunnleif Trygve Isak Mohammed Isac Aksel Ludvig Ulrik Nikolai Edvard Birger Reidar Cato Kato Sigbjørn Truls Magne Audun Even Tarjei Brage Theodor August
		Markus Herman Teodor Axel Birk Ali Ahmed Ragnar Sturla Gard Amund Bernt Børge Dagfinn Eskil Gisle Gjermund Hallvard Ingar Ingvar Jarl Joar Jørn Kolbjørn Lasse
		Mikael Normann Oddvar Odin Osvald Preben Ruben Sigve Snorre Storm Syver Tarald Tord Toralf Torstein Tron Vebjørn Yngve Åge Åsmund Øivind Øistein`
	women = `Anne Inger Kari Marit Ingrid Liv Eva Maria Anna Ida Hilde Berit Nina Marianne Astrid Elisabeth Kristin Randi Bente Heidi Silje Bjørg Hanne Linda Tone
		Solveig Ellen Wenche Emma Tove Anita Marte Karin Gerd Sara Mona Camilla Else Kristine Ragnhild Julie Ann Gunn Thea Lene Turid Line Monica Mari Laila
		Sigrid Grete Julia Trine Siri Nora Stine Rita Eli Torill Unni Malin Emilie Irene Mette Ragna Vilde Jorunn May Kirsten Hege Karen Cecilie Caroline Marie
		Amalie Helene Reidun Beate Merete Ingeborg Sissel Brit Johanne Elin Åse Janne Katrine Synnøve Frida Sofie Maja Hedda Lise Maren Rikke Tiril Tuva Aud Borghild
		Bodil Britt Charlotte Christine Elise Ella Gro Guri Helga Henriette Hilda Ingvild Iselin Jenny Jorid Karoline Kaja Kine Kjersti Kjerstin Lea Linn Linnea Live
		Lisbeth Lovise Magnhild Margrethe Margit Martine Mathilde Mia Mille Mina Monika Natalie Nathalie Norunn Oda Olaug Oline Pernille Rebecca Ruth Runa Sanna Selma Signe
		Sigrun Siw Solfrid Sol Susanne Sunniva Svanhild Synne Tale Tea Therese Thale Tina Tonje Tora Torbjørg Torun Trude Tyra Ulla Una Valborg Vanja Vera Veronica
		Vibeke Victoria Vigdis Viktoria Ylva Yvonne Zara Åshild Åslaug Åsta Øydis Oddny Oddbjørg Fatima Aisha Agnes Alma Alva Andrea Anette Annika Ane Aurora Bergljot Birgit`
	lastNames = `Hansen Johansen Olsen Larsen Andersen Pedersen Nilsen Kristiansen Jensen Karlsen Johnsen Pettersen Eriksen Berg Haugen Hagen Johannessen Andreassen
		Jacobsen Dahl Jørgensen Halvorsen Henriksen Lund Sørensen Jakobsen Moen Gundersen Iversen Svendsen Strand Solberg Martinsen Knutsen Paulsen Eide Bakken Kristoffersen
		Mathisen Lie Amundsen Rasmussen Lunde Kristensen Bakke Moe Berge Nygård Solheim Fredriksen Nguyen Holm Lien Andresen Hauge Christensen Knudsen Nielsen Evensen Ali
		Sætre Aas Hanssen Myhre Haugland Thomassen Sivertsen Simonsen Berntsen Danielsen Rønning Arnesen Sandvik Næss Antonsen Haug Ahmed Vik Ellingsen Edvardsen
		Thorsen Gulbrandsen Birkeland Isaksen Ruud Strøm Aasen Ødegård Tangen Myklebust Jenssen Eliassen Mikkelsen Bøe Aune Helland Tveit Brekke Abrahamsen Engen`
	// The parts of the names of farms.
	farmBegins = `Nord Sør Øst Vest Stor Lille Lang Bjørk Gran Furu Sol Ås Myr Kvern Sand Stein Hest Rød Svart Eike Ask Alm Hassel Selje Or Rogn Lind Bjørn Ulv Rev
		Tran Ørn Hauk Elg Rein Gås Lamb Kalv Okse Bukk Salt Fisk Laks Sild Torsk Båt Skip Vind Snø Is Varm Kald Dyp Høy Bratt Brei Krok Rund Mel Korn Rug Bygg Humle Tor Frøy Odin Helge Kirke Prest Bisp`
	farmEnds = `berg bakken dal dalen haug haugen hagen heim hus eng lund lien land moen mo mark myr myhr nes ness rud rød sæter seter set stad stø strand sund
		tun teigen tveit vik vold voll vang ås åsen øy øya bø by bekk foss fjord holm holt kleiv krok kroken li`
)

// doubleFirst and doubleLast are how many people of a hundred have two first names and two last names.
const doubleFirst, doubleLast = 20, 8

// drawn is a list of names of which each is drawn as often as people have it.
type drawn struct {
	names []string
	up    []float64 // the share of the name and of those before it
}

// drawnOf returns the names with their shares, by rank from 0.
func drawnOf(names []string, share func(rank int) float64) drawn {
	d, sum := drawn{names, make([]float64, len(names))}, 0.0
	for rank := range names {
		sum += share(rank)
		d.up[rank] = sum
	}
	return d
}

// next draws a name.
func (d drawn) next(r *rand.Rand) string {
	return d.names[sort.SearchFloat64s(d.up, r.Float64()*d.up[len(d.up)-1])]
}

// population draws the names of people.
type population struct {
	random     *rand.Rand
	men, women drawn
	last       drawn
}

// newPopulation returns a population that is called the same each time.
func newPopulation() population {
	last := strings.Fields(lastNames)
	common := len(last)
	for _, begin := range strings.Fields(farmBegins) {
		for _, end := range strings.Fields(farmEnds) {
			last = append(last, begin+end)
		}
	}
	ofFirst := func(rank int) float64 { return 1 / float64(rank+11) }
	p := population{
		random: rand.New(rand.NewPCG(17, 5)), //nolint:gosec // not a secret
		men:    drawnOf(strings.Fields(men), ofFirst), women: drawnOf(strings.Fields(women), ofFirst),
	}
	p.random.Shuffle(len(last)-common, func(a, b int) { last[common+a], last[common+b] = last[common+b], last[common+a] })
	ofLast := func(rank int) float64 { return 0.064 / (float64(rank) + 6.4) }
	top, rest := 0.0, 0.0
	for rank := range last {
		if rank < common {
			top += ofLast(rank)
		} else {
			rest += ofLast(rank)
		}
	}
	p.last = drawnOf(last, func(rank int) float64 {
		if rank < common {
			return ofLast(rank)
		}
		return ofLast(rank) * (1 - top) / rest
	})
	return p
}

// next draws the name of a person.
func (p population) next() string {
	first := p.men
	if p.random.IntN(2) == 0 {
		first = p.women
	}
	names := []string{first.next(p.random)}
	if p.random.IntN(100) < doubleFirst {
		names = append(names, first.next(p.random))
	}
	if p.random.IntN(100) < doubleLast {
		names = append(names, p.last.next(p.random))
	}
	return strings.Join(append(names, p.last.next(p.random)), " ")
}

// namesAtOnce is how many names are written with one statement.
const namesAtOnce = 1000

// namePeople makes a table of the names of people from number 1. The name of each hundredth holds his number.
func namePeople(b *testing.B, db *sql.DB, most int) {
	b.Helper()
	p := newPopulation()
	_, err := db.ExecContext(b.Context(), "CREATE TABLE people (i BIGINT NOT NULL PRIMARY KEY, name VARCHAR(100) NOT NULL, search VARCHAR(100) NOT NULL, digit BOOLEAN NOT NULL)")
	for next := 1; err == nil && next <= most; next += namesAtOnce {
		var args []any
		for i := next; i < next+namesAtOnce && i <= most; i++ {
			name := p.next()
			if i%100 == 0 {
				name = fmt.Sprintf("%s %d", name, i)
			}
			args = append(args, i, name, strings.ToLower(name), i%100 == 0)
		}
		_, err = db.ExecContext(b.Context(), "INSERT INTO people VALUES (?, ?, ?, ?)"+strings.Repeat(", (?, ?, ?, ?)", len(args)/4-1), args...)
	}
	if err != nil {
		b.Fatal(err)
	}
}
