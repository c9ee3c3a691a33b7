// Package drawn_test lets a creditor be paid by AvtaleGiro for a year, by the whole program against a simulated bank, while the program is
// killed (rules G1 to G4). Without the tag "whole" it is three weeks with fewer payers.
package drawn_test
