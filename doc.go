// Package reviewgate is the root of the module. It holds no code: the program
// is cmd/reviewgate, and doc/layout.md walks one change through the house.
package reviewgate
